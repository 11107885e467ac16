/** What a store hands the search: the index as it stands, and what its numbers mean. */
import type { MessageEntry } from '../session-log.ts'
import type { ReadPages } from './index/term-matches.ts'
import type { View } from './index/view.ts'

/** Conditions that are about sessions. */
export interface RecallScope {
  /** A path, or a project's name. */
  readonly workspace?: string | undefined
  readonly sessionId?: string | undefined
  readonly agent?: string | undefined
  readonly branch?: string | undefined
}

export interface RecallIndex {
  /** Every message that may be in scope, as of one moment. */
  readonly view: View
  /** Numbers of the sessions that workspace, id and agent let through; undefined: all. */
  readonly sessions: ReadonlySet<number> | undefined
  /** Those that are on the branch; undefined: all. */
  readonly onBranch: ReadonlySet<number> | undefined
  readonly read: ReadPages
}

export interface IndexedSession {
  readonly id: string
  readonly title: string | null
}

/** What a session is called, and the branch that it is on. */
export interface SessionLabels {
  readonly branch: string | null
  readonly title: string | null
}

export interface MessagePlace {
  readonly session: number
  readonly seq: number
}

export interface RecallSource {
  /** All that appends have written that resolved before the call. */
  open(scope: RecallScope): Promise<RecallIndex>
  /** Sessions by number; those that are gone are left out. */
  sessions(numbers: readonly number[]): Promise<ReadonlyMap<number, IndexedSession>>
  /** By session, in the order given. */
  labels(numbers: Uint32Array): Promise<readonly SessionLabels[]>
  /** Messages by place; undefined for what is gone. */
  messages(places: readonly MessagePlace[]): Promise<readonly (MessageEntry | undefined)[]>
}
