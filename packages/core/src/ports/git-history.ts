/** The commits of a branch. Read alone: nothing in the repository is changed. */

export interface BranchCommit {
  readonly hash: string
  /** When it was written (the author's time, which a rebase keeps), ms; git knows whole seconds. */
  readonly at: number
  /** The first line of its message. */
  readonly subject: string
}

/** A branch's commits, or why there are none: a sentence without its end. */
export type BranchHistory =
  | {
      readonly branch: string
      /** The newest first; of a merge only the branch's own side. */
      readonly commits: readonly BranchCommit[]
      /** Whether there are older ones. */
      readonly isCut: boolean
    }
  | { readonly refused: string }

export interface GitHistory {
  /** The history of a branch, or of the one that is checked out. Never rejects. */
  commits(branch?: string): Promise<BranchHistory>
}
