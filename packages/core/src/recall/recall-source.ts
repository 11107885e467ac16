/** What a store implements to be searched: access to the index, and to the sessions and messages behind its numbers. */
import type { MessageEntry } from '../session-log.ts'
import type { ReadPages } from './index/term-matches.ts'
import type { View } from './index/view.ts'

/** Conditions on sessions, all of which must hold; those left out let all through. */
export interface RecallScope {
  /** A path or the name of a project. */
  readonly workspace?: string | undefined
  readonly sessionId?: string | undefined
  readonly sessionIds?: readonly string[] | undefined
  readonly agent?: string | undefined
  readonly branch?: string | undefined
}

/** The index at one moment, with the sessions that a scope lets through. */
export interface RecallIndex {
  /** Every message that may be in scope, as of one moment. */
  readonly view: View
  /** Numbers of the sessions that workspace, id and agent let through; undefined: all. */
  readonly sessions: ReadonlySet<number> | undefined
  /** Those that are on the branch; undefined: all. */
  readonly onBranch: ReadonlySet<number> | undefined
  readonly read: ReadPages
}

/** A session as hits show it. */
export interface IndexedSession {
  readonly id: string
  readonly title: string | null
}

/** What a session is called, and the branch that it is on. */
export interface SessionLabels {
  readonly branch: string | null
  readonly title: string | null
}

/** Where a message is in the log: the session's number in the store and the sequence number. */
export interface MessagePosition {
  readonly session: number
  readonly seq: number
}

/** Implemented by each store; used by `createSearch`. */
export interface RecallSource {
  /** Opens the index of a scope, with all messages whose appends resolved before the call. */
  open(scope: RecallScope): Promise<RecallIndex>
  /** Sessions by number; deleted ones are left out. */
  sessions(numbers: readonly number[]): Promise<ReadonlyMap<number, IndexedSession>>
  /** The folders of sessions by number; null if not known. Deleted sessions are left out. */
  folders(numbers: readonly number[]): Promise<ReadonlyMap<number, string | null>>
  /** Branch and title of each session (by its number), in the order given; null where it has none, or was deleted. */
  labels(numbers: Uint32Array): Promise<readonly SessionLabels[]>
  /** Messages in the order of the positions; undefined for deleted ones. */
  messages(positions: readonly MessagePosition[]): Promise<readonly (MessageEntry | undefined)[]>
}
