/** The session of a project that commands mean when none is named: the one that was switched to, else the newest. */
import type { Engine, SessionSummary, StateScope } from '@cairn/core'

const KEY = 'session.current'

const scopeOf = (workspace: string): StateScope => ({ tier: 'workspace', workspace })

/** Undefined where the store holds no session of the workspace (a path, or a project's name). */
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

/** Makes a session the one that its workspace means; undefined makes it the newest again. */
export const setCurrentSession = (
  workspace: string,
  sessionId: string | undefined,
  { store }: Pick<Engine, 'store'>,
): Promise<void> => store.state.set(scopeOf(workspace), new Map([[KEY, sessionId]]))
