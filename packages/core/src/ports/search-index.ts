/** Search over all messages of all sessions, trimmed or not: messages, sessions, and the files that they touched. */
import type { Role } from '../messages.ts'

/** Which messages are looked at. Conditions are joined by "and". */
export interface SearchFilter {
  /** A path, or a project's name. Absent: all. */
  readonly workspace?: string
  readonly sessionId?: string
  readonly agent?: string
  /** The branch that the session was on last. */
  readonly branch?: string
  readonly role?: Role
  /** Written by this person: the first word of their name, in any case. */
  readonly author?: string
  /** Written at or after, ms. */
  readonly since?: number
  /** Written before, ms. */
  readonly until?: number
  /** A file that the message's tools read or edited: its path, or the end of it from a `/` on. */
  readonly file?: string
}

/** `cairn` is the product's; the other two are what it is measured against. */
export type RankerName = 'cairn' | 'bm25' | 'clio'

export interface SearchQuery extends SearchFilter {
  /** Words as a person types them; no operators. */
  readonly text: string
  /** The text is a name: only messages that hold it as a whole or, where it is not one name, all its words. Not for baselines. */
  readonly isName?: boolean
  /** At most so many hits; default 10. */
  readonly limit?: number
  /** Default `cairn`. */
  readonly ranker?: RankerName
}

/** One term of the score, in the order in which they are added. */
export interface ScorePart {
  readonly name: string
  readonly value: number
}

/** Why something was found. */
export interface ScoreExplanation {
  readonly ranker: RankerName
  readonly parts: readonly ScorePart[]
  /** Words of the query as the index knows them, and whether the hit holds them, or is by whom they name. */
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
  /** Name of the author, from formats with named speakers. */
  readonly author?: string
  /** Higher is better; comparable within one answer only. */
  readonly score: number
  /** All text of the message that was searched. */
  readonly text: string
  /** Other messages with this role and text, such as those of a forked session, in no order; absent where there are none. */
  readonly alsoIn?: readonly MessageReference[]
  readonly explanation: ScoreExplanation
}

/** Which past sessions matter for a request. */
export interface SessionSearchQuery extends Omit<SearchQuery, 'branch' | 'role' | 'author' | 'sessionId' | 'isName'> {
  /** The branch that the request is made on: its sessions count for more. No condition. */
  readonly branch?: string
  /** A condition: only sessions whose last branch is this one. */
  readonly onlyBranch?: string
}

export interface SessionHit {
  readonly sessionId: string
  readonly score: number
  /** Its message that fits best; undefined when it was found by its files or branch alone. */
  readonly best: SearchHit | undefined
  /** How many of its messages matched. */
  readonly hits: number
  readonly explanation: ScoreExplanation
}

/** A file as a message's tools touched it. */
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
  /** Only these sessions; not together with `sessionId`. */
  readonly sessionIds?: readonly string[]
  readonly since?: number
  readonly until?: number
  /** The newest so many; default 1,000. */
  readonly limit?: number
}

/** A word of a query that nothing holds, and the near one that is searched for instead; both as they stand in the query. */
export interface WordCorrection {
  readonly word: string
  readonly instead: string
}

export interface CorrectedQuery {
  /** The query with its typing errors corrected. */
  readonly text: string
  /** In the order of the query; empty where the text is as it was given. */
  readonly corrections: readonly WordCorrection[]
}

export interface SearchIndex {
  /** Best first; equal ones newest first. A message can be found as soon as its append has resolved, by any process. */
  search(query: SearchQuery): Promise<readonly SearchHit[]>
  /** The query with words that no message in its scope holds replaced by near ones that some do, for a search that follows. */
  correct(
    query: Pick<SearchQuery, 'text' | 'workspace' | 'sessionId' | 'agent' | 'since' | 'until'>,
  ): Promise<CorrectedQuery>
  /** Sessions, the one that matters most first. */
  sessions(query: SessionSearchQuery): Promise<readonly SessionHit[]>
  /** Which messages touched a file, the newest first. */
  touches(query: TouchQuery): Promise<readonly FileTouch[]>
}
