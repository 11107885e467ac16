/**
 * Sessions and their logs. An append that resolved is on disk (synced); its entries are the next
 * of the log, and the search index, usage facts and rollups were written in the same transaction.
 */
import type { Result } from '../result.ts'
import type { EntryKind, LogEntry, NewLogEntry } from '../session-log.ts'
import type { NanoUsd } from '../money.ts'
import type { RequestFact } from './usage-storage.ts'

/** What a writer knows of a session; missing facts leave what is stored. */
export interface SessionFacts {
  /** Globally unique: the agent's name, a colon and the agent's own id for it. */
  readonly id: string
  /** The program that held the session: `claude-code`, `codex`, `cairn`, … */
  readonly agent: string
  /** The agent's own id. */
  readonly externalId: string
  /** Folder of the project (a repository's main working tree where known). */
  readonly workspace?: string
  readonly branch?: string
  readonly title?: string
  /** The session that it was forked from. */
  readonly forkedFrom?: string
}

/** A session as lists show it. */
export interface SessionSummary {
  readonly id: string
  readonly agent: string
  readonly externalId: string
  readonly workspace: string | null
  readonly branch: string | null
  readonly title: string | null
  /** First and last time of messages and actions, ms; null when none has a time. Titles, favourites, pins and trims don't count. */
  readonly startedAt: number | null
  readonly updatedAt: number | null
  readonly entries: number
  readonly messages: number
  readonly favourite: boolean
  /** Secrets that were replaced before storage. */
  readonly redactions: number
  readonly requests: number
  readonly costNano: NanoUsd
  readonly unpricedRequests: number
  /** What the output that was not recorded must have cost; an estimate, not in `costNano`. */
  readonly missingOutputCostNano: NanoUsd
  /** The session that it was forked from; absent when it was not forked, or this is not known. */
  readonly forkedFrom?: string
}

/** Which sessions, in which order, which part of them. Conditions are joined by "and". */
export interface SessionQuery {
  /** The agent's name, exactly. */
  readonly agent?: string
  /** A path, or a project's name (the path's last part). `unknown`: also sessions without one, as in usage. */
  readonly workspace?: string
  /** A project's key or name, or the path of a folder in it. `unknown`: sessions without a workspace. */
  readonly project?: string
  /**
   * Sessions that were on this branch, exactly: by any of their requests, or by their last branch (that of sessions
   * without requests). `unknown`: also sessions with requests without one, or that have none, as in usage.
   */
  readonly branch?: string
  /** Sessions with a request by this model, whenever it was; its exact name, as in usage (`unknown` included). */
  readonly model?: string
  /** Sessions that came from a machine of this person, in a team's store. `unknown`: those of which none is known. */
  readonly person?: string
  /** Part of the title, case-insensitive. */
  readonly text?: string
  /** Only sessions that have a star. */
  readonly favourites?: true
  /** Sessions with an entry at or after, ms. */
  readonly since?: number
  /** Sessions with an entry before, ms. */
  readonly until?: number
  /** Last time, first time, cost of what is priced, number of messages. Default `updated`. */
  readonly sort?: SessionSort
  /**
   * Default `descending`: the latest or largest first. Sessions whose time is not known come last in either. Equal ones
   * keep an order of their own, so that pages neither repeat nor miss a session; it turns round with the order.
   */
  readonly order?: SortOrder
  /** At most so many sessions; default 50. */
  readonly limit?: number
  /** So many are left out at the beginning; default 0. */
  readonly offset?: number
}

export type SessionSort = 'updated' | 'started' | 'cost' | 'messages'
export type SortOrder = 'ascending' | 'descending'

export interface SessionPage {
  readonly sessions: readonly SessionSummary[]
  /** Of all pages. */
  readonly total: number
}

/** An entry with what belongs to it. */
export interface EntryWrite {
  readonly entry: NewLogEntry
  /** Unique within the session; an entry already there is not repeated, its request is still merged. */
  readonly externalId?: string
  /** The request whose reply (or part of it) this entry is. */
  readonly request?: RequestFact
  /** Characters of the reply that can be seen in this entry; see RequestFact. */
  readonly visibleCharacters?: number
  /** Secrets replaced in it. */
  readonly redactions?: number
}

/**
 * Where entries are added: at a sequence number, which is the number of entries that the writer has seen, or at the end
 * of the log, for entries that do not depend on others (a pin, a title).
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
  /** Bytes of compressed content that were freed. */
  readonly bytes: number
}

/** A line of a transcript, byte for byte as it stood in its file (but for redactions). */
export interface SourceLine {
  readonly file: string
  /** 1-based. */
  readonly line: number
  readonly bytes: Uint8Array
}

/** Which entries of a log are read. */
export interface EntryRange {
  /** The first sequence number; default 0. */
  readonly fromSeq?: number
  /** At most so many entries; default all. */
  readonly limit?: number
  /** Only entries of these kinds; the content of others is not unpacked. Default all. */
  readonly kinds?: readonly EntryKind[]
}

export interface SessionStorage {
  /**
   * Adds entries at `expectedSeq`, the number of entries that the writer has seen. Another writer having
   * been faster gives a conflict and nothing is written. At the `end` it always succeeds, unless the
   * session is not there: that is a conflict, too.
   */
  append(
    session: SessionFacts,
    expectedSeq: AppendPosition,
    writes: readonly EntryWrite[],
  ): Promise<Result<{ readonly nextSeq: number }, SequenceConflict>>
  /** Entries in order. An unknown session has none. */
  read(sessionId: string, range?: EntryRange): Promise<readonly LogEntry[]>
  /** Which of these external ids its entries have. None for an unknown session. */
  idsAmong(sessionId: string, externalIds: readonly string[]): Promise<ReadonlySet<string>>
  /** The session of this very id (see `resolve` for prefixes); undefined when there is none. */
  get(sessionId: string): Promise<SessionSummary | undefined>
  /** A page of the sessions that fit the query, in its order, and how many fit in all. */
  list(query: SessionQuery): Promise<SessionPage>
  /** Sessions whose id, or the agent's own id, starts with the text; at most `limit`. An exact match comes alone. */
  resolve(idOrPrefix: string, limit?: number): Promise<readonly SessionSummary[]>
  /** The source lines that a session was imported from, in the order of import. */
  sourceLines(sessionId: string): AsyncIterable<SourceLine>
  /**
   * Removes the session with all that is only its own, for real, and reports what went. Its id is remembered, so that
   * an import does not bring it back. Undefined when there is no such session.
   */
  delete(sessionId: string): Promise<DeletionReport | undefined>
}
