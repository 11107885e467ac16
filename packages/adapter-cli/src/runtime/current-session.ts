/** The current session of a project, used by commands when none is named: the one switched to, or else the newest. */
import type { Engine, SessionSummary, StateScope } from '@cairn/core'

const KEY = 'session.current'

/** Where the store keeps a workspace's current session. */
const scopeOf = (workspace: string): StateScope => ({ tier: 'workspace', workspace })

/**
 * Returns the session of a workspace (a path, or a project's name) that commands use by default: the one chosen by
 * `session switch`, otherwise the newest. Undefined if it has none. A project's name stands for the project of its
 * newest session.
 */
export const currentSession = async (
  workspace: string,
  { store }: Pick<Engine, 'store'>,
): Promise<SessionSummary | undefined> => {
  const { sessions } = await store.sessions.list({ workspace, limit: 1 })
  const [newest] = sessions
  if (newest === undefined) return undefined
  const chosen = await store.state.get(scopeOf(newest.workspace ?? workspace), KEY)
  if (typeof chosen !== 'string') return newest
  // It may have been deleted since.
  return (await store.sessions.get(chosen)) ?? newest
}

/** Makes a session the current one of its workspace; undefined goes back to the newest. */
export const setCurrentSession = (
  workspace: string,
  sessionId: string | undefined,
  { store }: Pick<Engine, 'store'>,
): Promise<void> => store.state.set(scopeOf(workspace), new Map([[KEY, sessionId]]))
