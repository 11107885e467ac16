/** Texts of a bounded length, which say what is left out. Lengths are UTF-16 units, without the note. */

/** Returns the position, or the one before it if it lies between the halves of a surrogate pair. */
const cutAt = (text: string, at: number): number => (/[\udc00-\udfff]/.test(text.charAt(at)) ? at - 1 : at)

/** Returns the note that says how many characters are not shown. */
const left = (count: number): string => `… ${count.toLocaleString('en-US')} characters are not shown …`

const NOTE = /\n… ([\d,]+) characters are not shown …\n/

/**
 * Returns the text's first `length` UTF-16 units and a note of how many are missing; a shorter text unchanged. A text
 * that was cut before and grew keeps a single note with the new count.
 */
export const cutEnd = (text: string, length: number): string => {
  if (text.length <= length) return text
  const at = cutAt(text, length)
  const note = NOTE.exec(text.slice(at))
  const missing = text.length - at - (note === null ? 0 : note[0].length) + countIn(note)
  return `${text.slice(0, at)}\n${left(missing)}\n`
}

/**
 * Returns the beginning (a quarter of `length` UTF-16 units) and the end of a text with a note of how many are missing
 * between; a shorter text unchanged. A text that was cut before keeps a single note with the new count.
 */
export const cutMiddle = (text: string, length: number): string => {
  const note = NOTE.exec(text)
  const before = countIn(note)
  const plain = note === null ? text : text.slice(0, note.index) + text.slice(note.index + note[0].length)
  if (plain.length <= length) return text
  const head = cutAt(plain, Math.floor(length / 4))
  const tail = cutAt(plain, plain.length - (length - head))
  return `${plain.slice(0, head)}\n${left(before + tail - head)}\n${plain.slice(tail)}`
}

/** Returns how many characters a note says are missing; 0 without a note. */
const countIn = (note: RegExpExecArray | null): number => Number((note?.[1] ?? '0').replaceAll(',', ''))
