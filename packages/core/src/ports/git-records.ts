/** What a repository's own records say about the files of its working tree. */

/** A file as it was found. */
export interface WorkingFile {
  /** Absolute. */
  readonly path: string
  /** Time of the last write, ms. */
  readonly modifiedAt: number
}

export interface GitRecords {
  /**
   * The files whose current state was written by a git command (checkout, pull, reset, …): at its time, with the
   * content in the index. Commits, and edits that people make with git's help, don't count. Empty without a repository,
   * without git, or without a timely answer; never rejects, and writes nothing.
   */
  writtenByGit(root: string, files: readonly WorkingFile[]): Promise<ReadonlySet<string>>
}
