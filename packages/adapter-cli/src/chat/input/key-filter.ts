/**
 * Prepares terminal input for the line editor: a bracketed paste becomes one piece that the editor can show, and the
 * keys for a new line become a backslash and Enter.
 */

/** Translates a terminal's keys for a line editor. */
export interface KeyFilter {
  /** What the line editor is given for the next piece, which may be cut anywhere. */
  take(piece: string): string
}

const BEGIN = '\u001b[200~'
const END = '\u001b[201~'
const INTERRUPT = '\u0003'
/** Enter behind a backslash: the message continues on the next line. */
const CONTINUED = '\\\r'

/**
 * Creates a filter from a terminal's keys to line editor input: a pasted text is replaced by the result of `paste`, and
 * new-line keys by a line break that does not send. Pieces may be cut anywhere. Ctrl-C inside of a paste ends the
 * paste, and its text is lost.
 */
export const createKeyFilter = (paste: (text: string) => string): KeyFilter => {
  /** What may be the first part of a mark. */
  let held = ''
  /** The pasted text so far; undefined outside of a paste. */
  let pasted: string[] | undefined

  const outside = (text: string): string => text.replaceAll('\u001b\r', CONTINUED).replaceAll('\n', CONTINUED)

  return {
    take: (piece) => {
      // The terminal lost the end of its paste, and somebody wants out.
      if (pasted !== undefined && piece === INTERRUPT) {
        pasted = undefined
        held = ''
        return INTERRUPT
      }
      let text = held + piece
      held = ''
      let out = ''
      for (;;) {
        const mark = pasted === undefined ? BEGIN : END
        const index = text.indexOf(mark)
        if (index === -1) break
        const before = text.slice(0, index)
        text = text.slice(index + mark.length)
        if (pasted === undefined) {
          out += outside(before)
          pasted = []
        } else {
          out += paste([...pasted, before].join(''))
          pasted = undefined
        }
      }
      const kept = unfinished(text, pasted === undefined ? BEGIN : END)
      held = text.slice(text.length - kept)
      const rest = text.slice(0, text.length - kept)
      if (pasted !== undefined) pasted.push(rest)
      else out += outside(rest)
      return out
    },
  }
}

/**
 * How many characters at the end of a text may be the start of a mark. Outside of a paste a single escape is a key of
 * its own.
 */
const unfinished = (text: string, mark: string): number => {
  const shortest = mark === BEGIN ? 2 : 1
  for (let length = Math.min(mark.length - 1, text.length); length >= shortest; length -= 1)
    if (text.endsWith(mark.slice(0, length))) return length
  return 0
}
