/** A command's output as shown to a model: readable, and shortened to its beginning and end if it is long. */
import { replaceUnsafe } from '../../unsafe-characters.ts'
import type { OutputBuffer } from './output-buffer.ts'

/** Characters (UTF-16 units) shown of a long output's beginning and end. */
const HEAD_CHARACTERS = 10_000
const TAIL_CHARACTERS = 20_000

/** Escape sequences that move the cursor or set colours, titles and links. */
const TERMINAL_SEQUENCE =
  // eslint-disable-next-line no-control-regex -- control characters are what is searched
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]*[0-~])/g
/** An output with a larger share of non-text bytes is binary. */
const BINARY_SHARE = 0.1

/** Output for the model and, if it is incomplete, what was kept of the whole. */
export interface CommandText {
  readonly text: string
  readonly whole?: string
}

/**
 * The text of a command's output for a model: `total` bytes were printed, `kept` gives what remains. Colours, control
 * characters and overwritten states of a line are removed. A text over 30,000 characters loses its middle; only then
 * `whole` is all that was kept, cleaned too. Binary output becomes one sentence. Empty for no output.
 */
export const commandText = ({ total, kept }: Pick<OutputBuffer, 'total' | 'kept'>): CommandText => {
  const { head, tail, omitted } = kept()
  if (isBinary(head) || isBinary(tail)) return { text: `(${total} bytes that are no text; write them to a file.)` }
  const [first, last] = [cleanOutput(decoded(head)), cleanOutput(decoded(tail))]
  const between = omitted > 0 ? `\n… (${omitted} bytes were not kept) …\n` : ''
  const whole = first + between + last
  if (whole.length <= HEAD_CHARACTERS + TAIL_CHARACTERS) return { text: whole }
  const start = untilLineEnd(whole.slice(0, HEAD_CHARACTERS))
  const end = fromLineStart(whole.slice(-TAIL_CHARACTERS))
  const left = total - start.length - end.length
  return { text: `${start}\n… (about ${left} of ${total} bytes are left out here) …\n${end}`, whole }
}

const decoded = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/** Whether output is not text: it has a zero byte, or too large a share of it is not UTF-8. */
const isBinary = (bytes: Uint8Array): boolean => {
  if (bytes.length === 0) return false
  if (bytes.includes(0)) return true
  // Cut at any byte, so a character at each end may be damaged.
  return (decoded(bytes).match(/\uFFFD/g)?.length ?? 0) - 6 > bytes.length * BINARY_SHARE
}

/**
 * Removes colours, cursor movements and control characters; of an overwritten line, such as a progress bar, the last
 * state stays.
 */
export const cleanOutput = (text: string): string =>
  replaceUnsafe(
    text
      .replace(TERMINAL_SEQUENCE, '')
      .replace(/\r+\n/g, '\n')
      .split('\n')
      .map((line) => line.replace(/\r+$/, ''))
      .map((line) => line.slice(line.lastIndexOf('\r') + 1))
      .join('\n'),
    (found, kind) => (kind === 'control' ? '' : found),
  )

/** Cuts a text behind its last whole line, if that leaves more than half of it. */
const untilLineEnd = (text: string): string => {
  const end = text.lastIndexOf('\n')
  return (end > text.length / 2 ? text.slice(0, end) : text).toWellFormed()
}

/** Cuts a text to its first whole line, if that leaves more than half of it. */
const fromLineStart = (text: string): string => {
  const start = text.indexOf('\n')
  return (start >= 0 && start < text.length / 2 ? text.slice(start + 1) : text).toWellFormed()
}
