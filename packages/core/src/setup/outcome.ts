/** What setup would do to a file. */
import type { Splice } from './edit.ts'

/** The file stays as it is; the reason completes the sentence "<path> is left as it is: …". */
export interface Refusal {
  readonly kind: 'refused'
  readonly reason: string
}

export interface Outcome {
  readonly kind: 'done'
  /** The whole file afterwards; equal to what was given where there is nothing to do. */
  readonly text: string
  /** What leads there, in order. */
  readonly splices: readonly Splice[]
  readonly kept: readonly Kept[]
}

/**
 * What stands in a file and stays: somebody else's server or status line where Cairn's would be, or another CAIRN_HOME in
 * Cairn's entry than the one in use (`data-folder`).
 */
export type Kept = 'server' | 'status-line' | 'data-folder'

/** A refusal for a reason; see {@link Refusal} for the sentence that it is part of. */
export const refused = (reason: string): Refusal => ({ kind: 'refused', reason })

/** An offset of a text for people: `line 3, column 7`, both from 1, columns in UTF-16 units. */
export const positionText = (text: string, offset: number): string => {
  const before = text.slice(0, offset).split('\n')
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`
}
