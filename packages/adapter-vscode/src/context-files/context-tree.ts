/** The tree of the files that a session's agent works with: by whether what it knows of them still holds. */
import type { Engine, FileInContext, FileState, SessionSummary } from '@cairn/core'
import type { ContextFileNode, ContextNode, StateNode } from './context-node.ts'
import { contextSession } from './context-session.ts'

/** What the tree needs of the window. */
export interface ContextTreeDeps {
  /** Undefined when nothing has been recorded yet. */
  readonly engine: () => Promise<Pick<Engine, 'files' | 'store'> | undefined>
  /** The window's projects, as the store names them. */
  readonly projects: () => Promise<readonly string[]>
  /** Files that are listed of each state. */
  readonly mostFiles?: number
}

/** The tree of the files in a session's context. */
export interface ContextTree {
  /** The nodes below a node, in order; without one, those at the top, read again. */
  children(node?: ContextNode): Promise<readonly ContextNode[]>
  /** The session whose files `children` gave last; undefined where there is none. */
  session(): SessionSummary | undefined
  /** Shows this session's files from the next `children` on; undefined: those of the session that is active last. */
  choose(sessionId: string | undefined): void
  /** Whether a session was chosen and is still there. */
  isChosen(): boolean
  /** What the tree stands on in the store, as a short text; it changes with the session's log. `none` without one. */
  version(): Promise<string>
}

const MOST_FILES = 500
/** What has to be looked at comes first. */
const STATES: readonly FileState[] = ['stale', 'active', 'removed']

/** Returns the node of one state with its first `most` files; empty if no file is in it. */
const stateNode = (
  session: SessionSummary,
  state: FileState,
  all: readonly FileInContext[],
  most: number,
): readonly StateNode[] => {
  const files = all.filter((file) => file.state === state)
  if (files.length === 0) return []
  const nodes = files
    .slice(0, most)
    .map((file): ContextFileNode => ({ kind: 'file', id: `${session.id}:${file.path}`, session, file }))
  return [{ kind: 'state', id: `${session.id}:${state}`, state, files: nodes, left: files.length - nodes.length }]
}

/**
 * Returns the tree; nothing is read before `children` is called. At its top are the session's warnings and the states
 * that have files, stale ones first; it is empty without a session. `session` is the one of the last `children`: the
 * chosen one if it is in the store, or else the last of the projects. `version` changes with what is shown.
 */
export const createContextTree = (deps: ContextTreeDeps): ContextTree => {
  const { mostFiles = MOST_FILES } = deps
  let chosen: string | undefined
  let shown: SessionSummary | undefined

  const currentSession = async (engine: Pick<Engine, 'store'>): Promise<SessionSummary | undefined> =>
    contextSession(engine.store.sessions, await deps.projects(), chosen)

  const top = async (): Promise<readonly ContextNode[]> => {
    const engine = await deps.engine()
    const session = engine === undefined ? undefined : await currentSession(engine)
    shown = session
    if (engine === undefined || session === undefined) return []
    const { files } = await engine.files.inContext(session.id)
    const warnings = await engine.files.warnings(session.id)
    return [
      ...warnings.map((warning): ContextNode => ({
        kind: 'warning',
        id: `${session.id}:warning:${warning.id}`,
        sessionId: session.id,
        warning,
      })),
      ...STATES.flatMap((state) => stateNode(session, state, files, mostFiles)),
    ]
  }

  return {
    children: async (node) => {
      if (node === undefined) return top()
      if (node.kind !== 'state') return []
      return node.left === 0 ? node.files : [...node.files, { kind: 'left', id: `${node.id}:left`, count: node.left }]
    },
    session: () => shown,
    choose: (sessionId) => {
      chosen = sessionId
    },
    isChosen: () => chosen !== undefined && shown?.id === chosen,
    version: async () => {
      const engine = await deps.engine()
      const session = engine === undefined ? undefined : await currentSession(engine)
      if (engine === undefined || session === undefined) return 'none'
      const warnings = await engine.files.warnings(session.id)
      return JSON.stringify([
        session.id,
        session.entries,
        session.updatedAt,
        session.title,
        warnings.map(({ id }) => id),
      ])
    },
  }
}
