/** The commits of a branch. Read-only. */

export interface BranchCommit {
  readonly hash: string
  /** The author's time, which a rebase keeps, in ms; git stores whole seconds. */
  readonly at: number
  /** The first line of its message. */
  readonly subject: string
}

/** A branch's commits, or why there are none: a sentence without its final period. */
export type BranchHistory =
  | {
      readonly branch: string
      /** Newest first; of a merge, only the branch's own side. */
      readonly commits: readonly BranchCommit[]
      /** Whether there are older ones. */
      readonly isCut: boolean
    }
  | { readonly refused: string }

export interface GitHistory {
  /** The history of the given branch, or of the checked-out one. Never rejects. */
  commits(branch?: string): Promise<BranchHistory>
}
