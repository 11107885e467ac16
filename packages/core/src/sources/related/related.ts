/** The source files of a workspace that are related to a text, with reasons. */

/** A question for related files. */
export interface RelatedQuery {
  /** Folders of the workspace, absolute; at least one. */
  readonly roots: readonly string[]
  /** What is to be done, in words. */
  readonly text: string
  /** A file that is known to matter, relative to the workspace; the answer is what belongs to it. */
  readonly file?: string
  /** Default 20. */
  readonly limit?: number
  /** What recorded sessions did, see {@link SessionSignals}. */
  readonly sessions?: SessionSignals
  /** What the work is to look at: paths or words; files that it means come first where the text fits others as well. */
  readonly focus?: string
}

/** How strongly recorded sessions suggest a file, by path relative to the workspace; any positive numbers. */
export type SessionSignals = ReadonlyMap<string, number>

/** A file that fits a question. */
export interface RelatedFile {
  /** Relative to the workspace, with `/`. */
  readonly path: string
  /** Higher is better; to compare within one answer. */
  readonly score: number
  /** Reasons, the strongest first. */
  readonly why: readonly string[]
}

/** The files that fit a question. */
export interface RelatedAnswer {
  /** The best first. Files without any score are left out. */
  readonly files: readonly RelatedFile[]
  /**
   * Whether one of the files has something to do with the question: its words, commits or sessions about it, the focus, a
   * known file. If not, they are only those that were changed lately.
   */
  readonly isMatched: boolean
  /** Whether the index was used; without it all files were read for the question's words alone. */
  readonly isIndexed: boolean
  /** Files that the index is not right about yet; see `RelatedFiles.index`. */
  readonly unindexed: number
}

/** How many source files the index has, and how many of them were read for it. */
export interface IndexReport {
  readonly files: number
  /** Of these, read again. */
  readonly read: number
}

/** Finds the files that a task is about. */
export interface RelatedFiles {
  /**
   * Returns the files that fit the query. Rejects with `invalid-input` for a text without usable words and no file, and
   * for a file that is not among the workspace's source files.
   */
  find(query: RelatedQuery, signal?: AbortSignal): Promise<RelatedAnswer>
  /** Reads all files that are new or changed into the index and saves it; other work goes on meanwhile. */
  index(roots: readonly string[], signal?: AbortSignal): Promise<IndexReport>
}
