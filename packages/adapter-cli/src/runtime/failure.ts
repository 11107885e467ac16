/** How failures end the program: with an exit code and one sentence. */
import { CairnError, echoed, messageOf } from '@cairn/core'
import { neutraliseLine } from '../terminal/neutralise.ts'

/** 0 success, 1 failure, 2 wrong usage, 3 stopped by a budget, check or conflict, 130 interrupted. */
export type ExitCode = 0 | 1 | 2 | 3 | 130

/** Codes of errors with exit code 2. */
const WRONG_USAGE: ReadonlySet<string> = new Set(['usage', 'unsupported', 'ambiguous'])
/** Codes of errors with exit code 3. */
const STOPPED: ReadonlySet<string> = new Set([
  'budget-exceeded',
  'sequence-conflict',
  'file-conflict',
  'disabled',
  'summary-refused',
])

/** The user pressed Ctrl-C; the message says what was kept. */
export class Interrupted extends Error {
  readonly code = 'interrupted'
}

/**
 * Returns the exit code for anything thrown: 2 for wrong usage, 3 if a budget, check or conflict stopped it, 130 for
 * Ctrl-C, otherwise 1.
 */
export const exitCodeOf = (thrown: unknown): ExitCode => {
  if (thrown instanceof Interrupted) return 130
  if (!CairnError.is(thrown)) return 1
  if (WRONG_USAGE.has(thrown.code)) return 2
  return STOPPED.has(thrown.code) ? 3 : 1
}

/** Returns a failure as the document that `--json` prints; the code is `failed` for errors that are not ours. */
export const failureOf = (thrown: unknown): { readonly error: { readonly code: string; readonly message: string } } => {
  const code = CairnError.is(thrown) || thrown instanceof Interrupted ? thrown.code : 'failed'
  return { error: { code, message: sentenceOf(thrown) } }
}

/** A word longer than any name or path; it came from the user and is cut. */
const LONG_WORD = /\S{500,}/g

/**
 * Returns a failure as one line for the user: our own errors in full, of an unexpected one its first line, and how to
 * see where it happened. Words of 500 characters and more are cut; control characters are made visible.
 */
export const sentenceOf = (thrown: unknown): string => {
  const isOurs = CairnError.is(thrown) || thrown instanceof Interrupted
  const text = messageOf(thrown).trim()
  const message = neutraliseLine(isOurs ? text : (text.split('\n')[0] ?? '')).replace(LONG_WORD, echoed)
  if (isOurs) return message
  return `That was not expected: ${message === '' ? 'an error without a message' : message} (CAIRN_DEBUG=1 shows where).`
}
