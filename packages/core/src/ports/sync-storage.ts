/**
 * The two ends of a sync: the user's own store, which knows what a team's store has not been told of, and the team's
 * store, which takes it in. Rows travel in the form of these types, and in no other.
 */
import type { LogEntry } from '../session-log.ts'
import type { SessionFacts } from './session-storage.ts'
import type { RequestFact } from './usage-storage.ts'

/** The machine that sends. */
export interface SyncMachine {
  /** Made once, at random. */
  readonly id: string
  readonly name?: string
  readonly person?: string
  /** Of the person who works on it; made once, at random. */
  readonly personId?: string
}

/** Which project a folder belongs to. Both may be hashes. */
export interface SyncProject {
  readonly workspace: string
  /** Null: it is a project of its own. */
  readonly project: string | null
}

/** A folder whose project is another one than the team's store was told. */
export interface ChangedProject extends SyncProject {
  /** Of its row in the user's store. */
  readonly row: number
}

/** A session as the team's store has it; names in it may be hashes. */
export interface SyncSession extends SessionFacts {
  /** ms; null when no entry has a time. */
  readonly startedAt: number | null
  readonly updatedAt: number | null
}

/** A request as the team's store has it. */
export interface SyncRequest {
  /** Says which call it is: a hash of 16 bytes, hex. */
  readonly call: string
  readonly sessionId: string
  /** Its `callId` is empty: the hash stands for it. */
  readonly fact: RequestFact
  readonly visibleCharacters: number
}

/** A session that has changed since it was last sent. */
export interface ChangedSession {
  /** Of the row in the user's store. */
  readonly row: number
  /** As they are stored, with title and names. */
  readonly session: SyncSession
  /** Counts the writes that were not sent; tells a later write from those that were read. */
  readonly writes: number
  /** The first request to send; null: none. */
  readonly fromRequest: number | null
  /** Sent before, or about to be: then the team's store may have it. */
  readonly isShared: boolean
  /** It was taken out of the team's store, and stays out. */
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
  /** As read: a session that was written to since is not confirmed, and sent again. */
  readonly writes: number
  /** The first request that was not sent yet; null: all were. Absent: requests were left out, and stay to be sent. */
  readonly nextRequest?: number | null
  /** How much of its log the team's store has; absent: as before. */
  readonly entries?: number
  /** Nothing of it is left to send. */
  readonly isComplete: boolean
}

/** The user's store as what is sent from. */
export interface SyncSource {
  /** Rows of sessions that changed since they were sent, ascending. Costs what has changed. */
  changedSessions(): Promise<readonly number[]>
  /** Rows of all sessions, ascending. */
  allSessions(): Promise<readonly number[]>
  /**
   * Rows of the sessions of requests that were added after a request, ascending, and the newest request of all, 0 without any;
   * requests by their rows. Costs what was added.
   */
  sessionsOfRequestsAfter(request: number): Promise<{ readonly sessions: readonly number[]; readonly newest: number }>
  /** Those of the rows that are still there, in their order. */
  sessions(rows: readonly number[]): Promise<readonly ChangedSession[]>
  /** At most `limit` requests of a session from one on, in the order of their rows. */
  requests(sessionRow: number, from: number, limit: number): Promise<readonly ChangedRequest[]>
  /** Entries of a session's log from one on, at most `limit`. */
  entries(sessionId: string, fromSeq: number, limit: number): Promise<readonly LogEntry[]>
  /** Notes that sessions are about to be sent, so that one that is deleted from here on is withdrawn. */
  announce(rows: readonly number[]): Promise<void>
  /** Notes what the team's store has committed. */
  confirm(sent: readonly SentSession[]): Promise<void>
  /** Sessions are not sent from here on, to whatever team's store. */
  keepOut(sessionIds: readonly string[]): Promise<void>
  /**
   * Folders whose project is not what the team's store was told last, or with `all` every one that has to be told; without
   * those of withdrawn sessions alone.
   */
  changedProjects(options?: { readonly all?: boolean }): Promise<readonly ChangedProject[]>
  /** Notes what the team's store was told of their projects. */
  confirmProjects(projects: readonly ChangedProject[]): Promise<void>
  /** Ids of sessions that were sent and then deleted, and are still to be withdrawn. */
  deletedSessions(): Promise<readonly string[]>
  /** Notes that they were withdrawn. */
  confirmWithdrawn(sessionIds: readonly string[]): Promise<void>
  /**
   * Everything is to be sent again, but what is kept out; `forget`: to another team's store, which has none of it.
   */
  sendAgain(options: { readonly forget: boolean }): Promise<void>
}

/** What one commit of the team's store takes. */
export interface SyncBatch {
  readonly machine: SyncMachine
  /** When it is sent, ms. */
  readonly at: number
  readonly sessions: readonly SyncSession[]
  /** Of these sessions. */
  readonly requests: readonly SyncRequest[]
}

/** A part of a session's log. */
export interface SyncLog {
  readonly session: SyncSession
  readonly fromSeq: number
  readonly entries: readonly LogEntry[]
}

/** The team's store as what is sent to. */
export interface SyncTarget {
  /**
   * Takes sessions and requests in, in one commit. What it has already changes nothing, and of two machines' copies the
   * same comes out in whatever order they come in. Resolves with the ids of those that were withdrawn, and of those that
   * another person sent in a store where nobody changes what is another's: nothing of these was taken in.
   */
  receive(batch: SyncBatch): Promise<{ readonly withdrawn: readonly string[]; readonly others: readonly string[] }>
  /** Whether this user may send text. */
  takesText(): Promise<boolean>
  /** Notes which projects folders belong to. Resolves with the folders that it has; the others are passed over. */
  receiveProjects(projects: readonly SyncProject[]): Promise<readonly string[]>
  /** The length of a session's log, and its last entry. */
  logEnd(sessionId: string): Promise<{ readonly nextSeq: number; readonly last: LogEntry | undefined }>
  /** Adds entries at the end of a log, if that is where they belong; `false` where it is not, or the session was withdrawn. */
  receiveLog(log: SyncLog): Promise<boolean>
  /** Removes sessions for real, and keeps them out, also those that it does not have yet. Returns how many it had. */
  withdraw(sessionIds: readonly string[]): Promise<number>
}
