/**
 * The two ends of a sync: the user's own store, which tracks what a team's store has not received yet, and the team's
 * store, which receives it. Rows travel only in the form of these types.
 */
import type { LogEntry } from '../session-log.ts'
import type { SessionFacts } from './session-storage.ts'
import type { RequestFact } from './usage-storage.ts'

/** The sending machine. */
export interface SyncMachine {
  /** Generated once, at random. */
  readonly id: string
  readonly name?: string
  readonly person?: string
  /** The id of the person who uses it; generated once, at random. */
  readonly personId?: string
}

/** The project of a folder. Both may be hashes. */
export interface SyncProject {
  readonly workspace: string
  /** Null if it is its own project. */
  readonly project: string | null
}

/** A folder whose project differs from what the team's store was told. */
export interface ChangedProject extends SyncProject {
  /** The folder's row in the user's store. */
  readonly row: number
}

/** A session as stored in the team's store; its names may be hashes. */
export interface SyncSession extends SessionFacts {
  /** ms; null if no entry has a time. */
  readonly startedAt: number | null
  readonly updatedAt: number | null
}

/** A request as stored in the team's store. */
export interface SyncRequest {
  /** Identifies the call: a hash of 16 bytes, hex. */
  readonly call: string
  readonly sessionId: string
  /** Its `callId` is empty; the hash replaces it. */
  readonly fact: RequestFact
  readonly visibleCharacters: number
}

/** A session that changed since it was last sent. */
export interface ChangedSession {
  /** The row in the user's store. */
  readonly row: number
  /** As stored, with title and names. */
  readonly session: SyncSession
  /** Number of unsent writes; distinguishes a later write from those that were read. */
  readonly writes: number
  /** The first request to send; null if there is none. */
  readonly fromRequest: number | null
  /** It was sent or is about to be, so the team's store may have it. */
  readonly isShared: boolean
  /** It was removed from the team's store and stays out. */
  readonly isWithdrawn: boolean
  /** Length of its log, and how much of it was sent. */
  readonly entries: number
  readonly sentEntries: number
}

/** A request of the user's store. */
export interface ChangedRequest extends SyncRequest {
  readonly row: number
}

/** How far a session was sent. */
export interface SentSession {
  readonly row: number
  /** As read: a session written to since is not confirmed, and is sent again. */
  readonly writes: number
  /** The first request not sent yet; null if all were. Absent if requests were left out and remain to be sent. */
  readonly nextRequest?: number | null
  /** How much of its log the team's store has; absent: unchanged. */
  readonly entries?: number
  /** Nothing of it is left to send. */
  readonly isComplete: boolean
}

/** The user's store as the source of a sync. */
export interface SyncSource {
  /** Rows of sessions changed since they were sent, ascending. The cost depends only on the changes. */
  changedSessions(): Promise<readonly number[]>
  /** Rows of all sessions, ascending. */
  allSessions(): Promise<readonly number[]>
  /**
   * Rows of the sessions of requests added after a given request, ascending, and the newest request of all (0 if there
   * is none). Requests are identified by their rows. The cost depends only on what was added.
   */
  sessionsOfRequestsAfter(request: number): Promise<{ readonly sessions: readonly number[]; readonly newest: number }>
  /** The given rows that still exist, in order. */
  sessions(rows: readonly number[]): Promise<readonly ChangedSession[]>
  /** At most `limit` requests of a session from a given one on, in row order. */
  requests(sessionRow: number, from: number, limit: number): Promise<readonly ChangedRequest[]>
  /** At most `limit` entries of a session's log from a given one on. */
  entries(sessionId: string, fromSeq: number, limit: number): Promise<readonly LogEntry[]>
  /** Records that sessions are about to be sent, so that one deleted from now on is withdrawn. */
  announce(rows: readonly number[]): Promise<void>
  /** Records what the team's store has committed. */
  confirm(sent: readonly SentSession[]): Promise<void>
  /** Excludes sessions from being sent to any team's store from now on. */
  keepOut(sessionIds: readonly string[]): Promise<void>
  /**
   * Folders whose project differs from what the team's store was last told or, with `all`, all folders that it has to
   * know; excludes folders of only withdrawn sessions.
   */
  changedProjects(options?: { readonly all?: boolean }): Promise<readonly ChangedProject[]>
  /** Records which projects the team's store was told. */
  confirmProjects(projects: readonly ChangedProject[]): Promise<void>
  /** Ids of sessions that were sent, then deleted, and are still to be withdrawn. */
  deletedSessions(): Promise<readonly string[]>
  /** Records that they were withdrawn. */
  confirmWithdrawn(sessionIds: readonly string[]): Promise<void>
  /**
   * Marks everything except excluded sessions to be sent again; `forget`: to another team's store, which has none of
   * it.
   */
  sendAgain(options: { readonly forget: boolean }): Promise<void>
}

/** The content of one commit to the team's store. */
export interface SyncBatch {
  readonly machine: SyncMachine
  /** When it was sent, ms. */
  readonly at: number
  readonly sessions: readonly SyncSession[]
  /** Requests of these sessions. */
  readonly requests: readonly SyncRequest[]
}

/** Part of a session's log. */
export interface SyncLog {
  readonly session: SyncSession
  readonly fromSeq: number
  readonly entries: readonly LogEntry[]
}

/** What tells where a session belongs. */
export interface SessionSigns {
  readonly id: string
  /** Hashes of some of its calls, hex. */
  readonly calls: readonly string[]
}

/** What a store has of a session: itself (or the mark of its deletion), or one of its calls. */
export type KnownBy = 'session' | 'call'

/** The team's store as the target of a sync. */
export interface SyncTarget {
  /**
   * Stores sessions and requests in one commit. Known data changes nothing, and copies from two machines lead to the
   * same result in any order. Resolves with the ids of withdrawn sessions and, in a store where nobody changes other
   * people's data, of sessions that another person sent: nothing of these was stored.
   */
  receive(batch: SyncBatch): Promise<{ readonly withdrawn: readonly string[]; readonly others: readonly string[] }>
  /** Whether this user may send text. */
  takesText(): Promise<boolean>
  /** Records the projects of folders. Resolves with the folders that it has; others are skipped. */
  receiveProjects(projects: readonly SyncProject[]): Promise<readonly string[]>
  /** The length of a session's log, and its last entry. */
  logEnd(sessionId: string): Promise<{ readonly nextSeq: number; readonly last: LogEntry | undefined }>
  /** Appends entries to a log if they belong at its end; `false` if they don't, or if the session was withdrawn. */
  receiveLog(log: SyncLog): Promise<boolean>
  /** What the store has of each session, in their order; undefined: nothing. */
  knownBy(sessions: readonly SessionSigns[]): Promise<readonly (KnownBy | undefined)[]>
  /**
   * Deletes sessions irrecoverably and keeps them out, including those it does not have yet. Returns how many it had.
   */
  withdraw(sessionIds: readonly string[]): Promise<number>
}
