/**
 * Read-only queries about a workspace's repository: nothing in it is changed, and no program that it configures is run.
 */

/**
 * What git says, or why it says nothing: a sentence without its final period, such as "this folder is in no
 * repository".
 */
export type GitAnswer =
  | {
      readonly text: string
      /** Whether there was more than `maxBytes`; the text is then the beginning. */
      readonly isCut: boolean
    }
  | { readonly refused: string }

export interface GitFacts {
  /** Uncommitted changes, staged or not, followed by the names of new files. Never rejects. */
  changes(maxBytes: number): Promise<GitAnswer>
  /** A commit with its message and its changes. Never rejects. @param revision a git revision, not an option */
  commit(revision: string, maxBytes: number): Promise<GitAnswer>
  /** The branch, its upstream, and its newest commits. Never rejects. */
  branch(maxBytes: number): Promise<GitAnswer>
}
