/** The nodes of the tree of files in an agent's context. Ids stay the same over refreshes. */
import type { FileInContext, FileState, FileWarning, SessionSummary } from '@cairn/core'

/** The files that are in one state. */
export interface StateNode {
  readonly kind: 'state'
  readonly id: string
  readonly state: FileState
  readonly files: readonly ContextFileNode[]
  /** Files beyond those that are listed. */
  readonly left: number
}

/** A file of the context. */
export interface ContextFileNode {
  readonly kind: 'file'
  readonly id: string
  readonly session: SessionSummary
  readonly file: FileInContext
}

/** Something that the session's agent was not told yet. */
interface WarningNode {
  readonly kind: 'warning'
  readonly id: string
  readonly sessionId: string
  readonly warning: FileWarning
}

/** Says how many files are not listed. */
interface LeftNode {
  readonly kind: 'left'
  readonly id: string
  readonly count: number
}

/** A node of the tree. */
export type ContextNode = StateNode | ContextFileNode | WarningNode | LeftNode
