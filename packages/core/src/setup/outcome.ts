/** What setup would do to a file. */
import type { Splice } from './edit.ts'

/** The file is left unchanged; the reason completes the sentence "<path> is left as it is: …". */
export interface Refusal {
  readonly kind: 'refused'
  readonly reason: string
}

export interface Outcome {
  readonly kind: 'done'
  /** The whole resulting file; equal to the input if there is nothing to do. */
  readonly text: string
  /** The edits that lead there, in order. */
  readonly splices: readonly Splice[]
  readonly kept: readonly Kept[]
}

/**
 * What was kept in a file: another program's server or status line where Cairn's would be, or a CAIRN_HOME in Cairn's
 * entry that differs from the current one (`data-folder`).
 */
export type Kept = 'server' | 'status-line' | 'data-folder'

/** Creates a refusal; see {@link Refusal} for the sentence that the reason completes. */
export const refused = (reason: string): Refusal => ({ kind: 'refused', reason })

/** An offset of a text for display: `line 3, column 7`, both from 1, columns in UTF-16 units. */
export const positionText = (text: string, offset: number): string => {
  const before = text.slice(0, offset).split('\n')
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`
}
