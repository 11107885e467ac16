/** What a text may ask of a workspace's repository. Read alone: nothing in it is changed, and no program that it names is run. */

/** What git says, or why it says nothing: a sentence without its end, such as "this folder is in no repository". */
export type GitAnswer =
  | {
      readonly text: string
      /** Whether there was more than `maxBytes`; the text is its beginning. */
      readonly isCut: boolean
    }
  | { readonly refused: string }

export interface GitFacts {
  /** What is changed and not committed, staged or not, then the names of new files. Never rejects. */
  changes(maxBytes: number): Promise<GitAnswer>
  /** A commit with its message and its changes. Never rejects. @param revision what git calls it, no option */
  commit(revision: string, maxBytes: number): Promise<GitAnswer>
  /** The branch, what it follows, and its newest commits. Never rejects. */
  branch(maxBytes: number): Promise<GitAnswer>
}
