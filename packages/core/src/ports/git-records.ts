/** What a repository's own records say about the files of its working tree. */

/** A file as it was found. */
export interface WorkingFile {
  /** Absolute. */
  readonly path: string
  /** Time of its last write, ms. */
  readonly modifiedAt: number
}

export interface GitRecords {
  /**
   * Those of the files that a git command (checkout, pull, reset, …) wrote as they are now: at its time, and with the content that the
   * index has. Commits, and what people do with git's help, don't count. Empty where there is no repository, no git, or no answer in
   * time; never rejects, and writes nothing.
   */
  writtenByGit(root: string, files: readonly WorkingFile[]): Promise<ReadonlySet<string>>
}
