/** Search over all messages of all sessions, including trimmed ones: messages, sessions, and the files they touched. */
import type { Role } from '../messages.ts'

/** Which messages to search. All conditions must hold. */
export interface SearchFilter {
  /** A path, or a project's name. Absent: all projects. */
  readonly workspace?: string
  readonly sessionId?: string
  readonly agent?: string
  /** The session's last branch. */
  readonly branch?: string
  readonly role?: Role
  /** Written by this person: the first word of their name, ignoring case. */
  readonly author?: string
  /** Written at or after, ms. */
  readonly since?: number
  /** Written before, ms. */
  readonly until?: number
  /** A file that the message's tools read or edited: its path, or the end of its path from a `/` on. */
  readonly file?: string
}

/** `cairn` is the product's ranker; the other two are baselines. */
export type RankerName = 'cairn' | 'bm25' | 'clio'

export interface SearchQuery extends SearchFilter {
  /** Words as typed; there are no operators. */
  readonly text: string
  /**
   * The text is a name: only messages that contain it as a whole or, if it is not one name, all its words. Not for
   * baselines.
   */
  readonly isName?: boolean
  /**
   * Only messages that contain all words of the text, each in any of its forms, and what it quotes just so. Not for
   * baselines.
   */
  readonly allWords?: boolean
  /** Maximum number of hits; default 10. */
  readonly limit?: number
  /** Default `cairn`. */
  readonly ranker?: RankerName
}

/** One term of the score, in the order of addition. */
export interface ScorePart {
  readonly name: string
  readonly value: number
}

/** Why a result was found. */
export interface ScoreExplanation {
  readonly ranker: RankerName
  readonly parts: readonly ScorePart[]
  /**
   * Words of the query in their indexed form, and whether the hit contains them or was written by the person they name.
   */
  readonly terms: readonly { readonly text: string; readonly found: boolean }[]
}

/** A message of a session. */
export interface MessageReference {
  readonly sessionId: string
  readonly seq: number
  readonly messageId: string
}

export interface SearchHit {
  readonly sessionId: string
  readonly seq: number
  readonly messageId: string
  readonly externalId: string
  readonly at: number | null
  readonly role: Role
  /** The author's name, from formats with named speakers. */
  readonly author?: string
  /** Higher is better; comparable only within one answer. */
  readonly score: number
  /** All searched text of the message. */
  readonly text: string
  /**
   * Other messages with this role and text, such as those of a forked session, in no particular order; absent if there
   * are none.
   */
  readonly alsoIn?: readonly MessageReference[]
  readonly explanation: ScoreExplanation
}

/** Finds the past sessions that are relevant to a request. */
export interface SessionSearchQuery extends Omit<
  SearchQuery,
  'branch' | 'role' | 'author' | 'sessionId' | 'isName' | 'allWords'
> {
  /** The branch of the request: its sessions rank higher. Not a filter. */
  readonly branch?: string
  /** A filter: only sessions whose last branch is this one. */
  readonly onlyBranch?: string
}

export interface SessionHit {
  readonly sessionId: string
  readonly score: number
  /** Its best message; undefined if it was found only by its files or branch. */
  readonly best: SearchHit | undefined
  /** Number of matching messages. */
  readonly hits: number
  readonly explanation: ScoreExplanation
}

/** A file touched by a message's tools. */
export interface FileTouch {
  readonly path: string
  readonly operation: FileOperation
  readonly sessionId: string
  readonly seq: number
  readonly at: number | null
}

export type FileOperation = 'read' | 'edit' | 'mention'

export interface TouchQuery {
  /** A path, or the end of one from a `/` on; absent: all files. */
  readonly file?: string
  readonly workspace?: string
  readonly sessionId?: string
  /** Only these sessions; can't be combined with `sessionId`. */
  readonly sessionIds?: readonly string[]
  readonly since?: number
  readonly until?: number
  /** Maximum number, newest first; default 1,000. */
  readonly limit?: number
}

/** What a list of files is sorted by; `last` is the time of the last edit. */
export type FileListSort = 'edits' | 'reads' | 'sessions' | 'last' | 'path'

/** Which files to list. All conditions must hold. */
export interface FileListQuery {
  /** A path, or a project's name: only what its sessions read and edited. Absent: all projects. */
  readonly workspace?: string
  /** Only what sessions in exactly these folders did. */
  readonly workspaces?: readonly string[]
  readonly agent?: string
  /** The session's last branch. */
  readonly branch?: string
  /** Only reads and edits at or after, ms. */
  readonly since?: number
  /** Only reads and edits before, ms. */
  readonly until?: number
  /** Words that the path must contain, each of them, ignoring case. */
  readonly text?: string
  /** Default `edits`. */
  readonly sort?: FileListSort
  /** Default descending; for `path` ascending. */
  readonly order?: 'ascending' | 'descending'
  /** Maximum number; default 100. */
  readonly limit?: number
  /** How many are left out at the beginning; default 0. */
  readonly offset?: number
}

/** Where a file was read or edited: the message with the call. */
export interface FileUse {
  readonly sessionId: string
  readonly seq: number
  /** ms; null if not known. */
  readonly at: number | null
}

/** A file that tools of agents read or edited, in any session. */
export interface ListedFile {
  /** Relative to `workspace` if that is known. */
  readonly path: string
  /** The folder of a session that used the file and has it inside; the innermost of several. */
  readonly workspace: string | null
  /** Calls that edited or read it, including those that failed. */
  readonly edits: number
  readonly reads: number
  /** Number of sessions with such calls. */
  readonly sessions: number
  readonly lastEdit: FileUse | null
  readonly lastRead: FileUse | null
}

export interface FileList {
  readonly files: readonly ListedFile[]
  /** Number of files that match, whatever the limit. */
  readonly total: number
}

/**
 * A word of a query that no message contains, and the similar one searched instead; both as they appear in the query.
 */
export interface WordCorrection {
  readonly word: string
  readonly instead: string
}

export interface CorrectedQuery {
  /** The query with its typing errors corrected. */
  readonly text: string
  /** In query order; empty if the text is unchanged. */
  readonly corrections: readonly WordCorrection[]
}

export interface SearchIndex {
  /** Best first; ties newest first. A message can be found by any process as soon as its append has resolved. */
  search(query: SearchQuery): Promise<readonly SearchHit[]>
  /**
   * Corrects a query before a search: words that no message in its scope contains are replaced by similar ones that
   * some do.
   */
  correct(
    query: Pick<SearchQuery, 'text' | 'workspace' | 'sessionId' | 'agent' | 'since' | 'until'>,
  ): Promise<CorrectedQuery>
  /** Sessions, most relevant first. */
  sessions(query: SessionSearchQuery): Promise<readonly SessionHit[]>
  /** The messages that touched a file, newest first. */
  touches(query: TouchQuery): Promise<readonly FileTouch[]>
  /**
   * Files that tools read or edited, over all sessions. Files that were only mentioned are left out. The same path in
   * two folders is two files. Rejects with `invalid-input` for bad values.
   */
  files(query?: FileListQuery): Promise<FileList>
}
