/** What is known of a folder's repository. */
export interface RepositoryFacts {
  /** Top folder of the main working tree: all worktrees of a repository share it. */
  readonly root: string
  readonly branch?: string
}

export interface Git {
  /** Undefined outside a repository, and when git is not there. */
  repository(directory: string): Promise<RepositoryFacts | undefined>
}
