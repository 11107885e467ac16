/** Texts of a bounded length, which say what is left out. Lengths are UTF-16 units, without the note. */

/** Not between the halves of a surrogate pair. */
const cutAt = (text: string, at: number): number => (/[\udc00-\udfff]/.test(text.charAt(at)) ? at - 1 : at)

const left = (count: number): string => `… ${count.toLocaleString('en-US')} characters are not shown …`

const NOTE = /\n… ([\d,]+) characters are not shown …\n/

/**
 * The text's first `length` characters (UTF-16 units), and a note of how much is missing; a shorter one as it is. A
 * text that was cut before and has become longer keeps one note.
 */
export const cutEnd = (text: string, length: number): string => {
  if (text.length <= length) return text
  const at = cutAt(text, length)
  const note = NOTE.exec(text.slice(at))
  const missing = text.length - at - (note === null ? 0 : note[0].length) + countIn(note)
  return `${text.slice(0, at)}\n${left(missing)}\n`
}

/**
 * Both ends of a text, `length` characters together, a quarter of them its beginning, with a note between; of one
 * that was cut before the note counts on. A shorter one as it is.
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

const countIn = (note: RegExpExecArray | null): number => Number((note?.[1] ?? '0').replaceAll(',', ''))
