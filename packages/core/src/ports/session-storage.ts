/**
 * Storage of sessions and their logs. A resolved append is on disk (synced): its entries are the next of the log, and
 * search index, usage facts and rollups were written in the same transaction.
 */
import type { Result } from '../result.ts'
import type { EntryKind, LogEntry, NewLogEntry } from '../session-log.ts'
import type { NanoUsd } from '../money.ts'
import type { RequestFact } from './usage-storage.ts'

/** What a writer knows about a session; absent facts leave stored ones unchanged. */
export interface SessionFacts {
  /** Globally unique: the agent's name, a colon and the agent's own id for it. */
  readonly id: string
  /** The program that ran the session: `claude-code`, `codex`, `cairn`, … */
  readonly agent: string
  /** The session's id in the agent. */
  readonly externalId: string
  /** Folder of the project (a repository's main working tree if known). */
  readonly workspace?: string
  readonly branch?: string
  readonly title?: string
  /** The session from which it was forked. */
  readonly forkedFrom?: string
}

/** A session as shown in lists. */
export interface SessionSummary {
  readonly id: string
  readonly agent: string
  readonly externalId: string
  readonly workspace: string | null
  readonly branch: string | null
  readonly title: string | null
  /**
   * First and last time of messages and actions, ms; null if none has a time. Titles, favourites, pins and trims don't
   * count.
   */
  readonly startedAt: number | null
  readonly updatedAt: number | null
  readonly entries: number
  readonly messages: number
  readonly favourite: boolean
  /** Number of secrets replaced before storage. */
  readonly redactions: number
  readonly requests: number
  readonly costNano: NanoUsd
  readonly unpricedRequests: number
  /** Estimated cost of output that was not recorded; not included in `costNano`. */
  readonly missingOutputCostNano: NanoUsd
  /** The session from which it was forked; absent if it was not forked, or if that is unknown. */
  readonly forkedFrom?: string
}

/** Filters, order and page of a list of sessions. All conditions must hold. */
export interface SessionQuery {
  /** The agent's name, exactly. */
  readonly agent?: string
  /**
   * A path, or a project's name (the last part of the path). `unknown` also matches sessions without one, as in usage.
   */
  readonly workspace?: string
  /** A project's key or name, or the path of a folder in it. `unknown` matches sessions without a workspace. */
  readonly project?: string
  /** Sessions in exactly one of these folders, by path; none of them for an empty list. */
  readonly workspaces?: readonly string[]
  /**
   * Sessions on exactly this branch: by any of their requests or, for sessions without requests, by their last branch.
   * `unknown` also matches sessions with requests without a branch, or without any, as in usage.
   */
  readonly branch?: string
  /** Sessions with a request to this model at any time; its exact name, as in usage (`unknown` included). */
  readonly model?: string
  /** Sessions that came from a machine of this person, in a team's store. `unknown`: those of which none is known. */
  readonly person?: string
  /** Part of the title, case-insensitive. */
  readonly text?: string
  /** Only starred sessions. */
  readonly favourites?: true
  /** Sessions with an entry at or after, ms. */
  readonly since?: number
  /** Sessions with an entry before, ms. */
  readonly until?: number
  /** Last time, first time, cost of priced requests, or number of messages. Default `updated`. */
  readonly sort?: SessionSort
  /**
   * Default `descending`: latest or largest first. Sessions without a known time come last in either order. Ties have a
   * stable order, reversed with the sort order, so that pages neither repeat nor miss a session.
   */
  readonly order?: SortOrder
  /** Page size; default 50. */
  readonly limit?: number
  /** Number of sessions to skip; default 0. */
  readonly offset?: number
}

export type SessionSort = 'updated' | 'started' | 'cost' | 'messages'
export type SortOrder = 'ascending' | 'descending'

export interface SessionPage {
  readonly sessions: readonly SessionSummary[]
  /** Total over all pages. */
  readonly total: number
}

/** An entry with its associated data. */
export interface EntryWrite {
  readonly entry: NewLogEntry
  /**
   * Unique within the session. An import does not repeat a known entry, but still merges its request; an append is
   * refused.
   */
  readonly externalId?: string
  /** The request of which this entry is (part of) the reply. */
  readonly request?: RequestFact
  /** Visible characters of the reply in this entry; see RequestFact. */
  readonly visibleCharacters?: number
  /** Number of secrets replaced in it. */
  readonly redactions?: number
}

/**
 * Where to append: at a sequence number, which is the number of entries that the writer has seen, or at the end of the
 * log, for entries that do not depend on others (a pin, a title).
 */
export type AppendPosition = number | 'end'

export interface SequenceConflict {
  readonly code: 'sequence-conflict'
  readonly expectedSeq: AppendPosition
  readonly actualSeq: number
}

export interface DeletionReport {
  readonly sessionId: string
  readonly entries: number
  readonly requests: number
  readonly sourceLines: number
  /** Bytes of compressed content freed. */
  readonly bytes: number
}

/** A line of a transcript, byte for byte as in its file, except for redactions. */
export interface SourceLine {
  readonly file: string
  /** 1-based. */
  readonly line: number
  readonly bytes: Uint8Array
}

/** Which entries of a log to read. */
export interface EntryRange {
  /** The first sequence number; default 0. */
  readonly fromSeq?: number
  /** Maximum number of entries; default all. */
  readonly limit?: number
  /** Only entries of these kinds; the content of others is not decompressed. Default all. */
  readonly kinds?: readonly EntryKind[]
}

export interface SessionStorage {
  /**
   * Appends entries at `expectedSeq`, the number of entries that the writer has seen; at 0 this creates the session,
   * even one that was deleted. If another writer was faster, the result is a conflict, and nothing is written.
   * Appending at the `end` always succeeds unless the session does not exist, which is also a conflict. Rejects with
   * `invalid-input`, and writes nothing, if an external id is repeated.
   */
  append(
    session: SessionFacts,
    expectedSeq: AppendPosition,
    writes: readonly EntryWrite[],
  ): Promise<Result<{ readonly nextSeq: number }, SequenceConflict>>
  /** Entries in order; empty for an unknown session. */
  read(sessionId: string, range?: EntryRange): Promise<readonly LogEntry[]>
  /** Which of these external ids the session's entries have; empty for an unknown session. */
  idsAmong(sessionId: string, externalIds: readonly string[]): Promise<ReadonlySet<string>>
  /** The session with exactly this id (see `resolve` for prefixes); undefined if there is none. */
  get(sessionId: string): Promise<SessionSummary | undefined>
  /** One page of the sessions that match the query, in order, and their total number. */
  list(query: SessionQuery): Promise<SessionPage>
  /**
   * Sessions whose id, or id in the agent, starts with the text, last updated first; at most `limit`, default 10. An
   * exact match is returned alone.
   */
  resolve(idOrPrefix: string, limit?: number): Promise<readonly SessionSummary[]>
  /** The source lines from which a session was imported, in import order. */
  sourceLines(sessionId: string): AsyncIterable<SourceLine>
  /**
   * Deletes the session and all data that belongs only to it, and reports what was deleted. Its id is remembered, so
   * that an import does not bring it back. Undefined if there is no such session.
   */
  delete(sessionId: string): Promise<DeletionReport | undefined>
}
