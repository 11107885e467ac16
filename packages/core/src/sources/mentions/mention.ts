/** What a mention in a text can mean. */

/** Line numbers of a file, from 1, both included. */
export interface LineRange {
  readonly first: number
  readonly last: number
}

/** What a person means by a mention. */
export type MentionTarget =
  /** `path` as it was written; a folder where it ends with `/`. */
  | { readonly kind: 'path'; readonly path: string; readonly lines?: LineRange }
  /** What is changed and not committed. */
  | { readonly kind: 'git-diff' }
  | { readonly kind: 'git-branch' }
  | { readonly kind: 'git-commit'; readonly revision: string }
  /** Without an id the current one of the workspace. */
  | { readonly kind: 'session'; readonly id?: string }
  | { readonly kind: 'memory' }
  | { readonly kind: 'problems' }
  | { readonly kind: 'selection' }

/** One way to read a mention: it takes the text up to `end`. */
export interface MentionReading {
  /** Index in the text behind the last character. */
  readonly end: number
  readonly target: MentionTarget
  /**
   * Whether nothing else can be meant: then it is told where there is no such file. `@types/node` and `@alice` may be
   * a package and a person, and are left alone.
   */
  readonly isCertain: boolean
}

/** Something in a text that may be a mention. */
export interface MentionCandidate {
  /** Index of its `@` in the text. */
  readonly start: number
  /** At least one, the longest first: what stands at its end may belong to the sentence. */
  readonly readings: readonly MentionReading[]
}
