/** Pasted texts: short placeholders in the line, complete in the message. */
import { counted } from '../../terminal/format.ts'

/** Pasted texts that a placeholder stands for in the line. */
export interface Pastes {
  /**
   * What stands in the line for a pasted text: a short text of one line itself, else a name such as `[pasted 120
   * lines]`.
   */
  keep(text: string): string
  /** The line with the texts in the place of their names; a name that stands for nothing stays. */
  expand(line: string): string
}

/** Characters of a pasted line that is inserted as it is. */
const LONGEST_INLINE = 500
// eslint-disable-next-line no-control-regex -- what the line editor would obey
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/

/**
 * Creates the store of a conversation's pastes: a short single line is inserted as it is; anything else is kept, and a
 * placeholder stands for it in the line until it is sent. Line breaks become line feeds, and one at the end is removed.
 */
export const createPastes = (): Pastes => {
  const texts = new Map<string, string>()
  /** The name that stands for a text: one that no other text has, so the same text keeps its name. */
  const nameOf = (text: string): string => {
    const lines = text.split('\n').length
    const what = lines === 1 ? counted(text.length, 'character') : counted(lines, 'line')
    const name = `[pasted ${what}]`
    for (let number = 1; ; number += 1) {
      const numbered = number === 1 ? name : `[pasted ${what} #${number}]`
      if ((texts.get(numbered) ?? text) === text) return numbered
    }
  }
  return {
    keep: (given) => {
      const text = given.replaceAll(/\r\n?/g, '\n').replace(/\n$/, '')
      if (text.length <= LONGEST_INLINE && !CONTROL.test(text)) return text
      const name = nameOf(text)
      texts.set(name, text)
      return name
    },
    expand: (line) => line.replaceAll(/\[pasted [^\]]*\]/g, (name) => texts.get(name) ?? name),
  }
}
