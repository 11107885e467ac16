/** How a text that somebody noted stands in a prompt: on one line, capped, with nothing in it that acts. */
import { escapeTags } from '../summary/markup.ts'
import { showUnseen } from '../summary/unseen-characters.ts'

// eslint-disable-next-line no-control-regex -- escape sequences of terminals begin with a control character
const ESCAPE_SEQUENCES = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b./gu
/** Control characters, line ends of all kinds, and marks that turn the direction of writing round. */
const UNSEEN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]+/gu

/** The text on one line, without escape sequences and unseen characters. */
export const plainLine = (text: string): string =>
  text.replace(ESCAPE_SEQUENCES, '').replace(UNSEEN, ' ').replace(/\s+/gu, ' ').trim()

/** The plain line, cut to a number of characters. */
export const cutLine = (text: string, maxCharacters: number): string => {
  if (text.length <= maxCharacters) return text
  const cut = text.slice(0, maxCharacters - 1)
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`
}

/** The plain line, cut, with our tags escaped: data that can't close the section. */
export const escapedLine = (text: string, maxCharacters: number): string =>
  cutLine(showUnseen(escapeTags(cutLine(plainLine(text), maxCharacters))), maxCharacters)
