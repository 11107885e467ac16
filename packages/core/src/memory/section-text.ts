/** Prepares a stored text for a prompt: on one line, capped, without control characters. */
import { escapeTags } from '../summary/markup.ts'
import { showUnseen } from '../summary/unseen-characters.ts'
import { replaceUnsafe, type UnsafeKind } from '../unsafe-characters.ts'

// eslint-disable-next-line no-control-regex -- escape sequences of terminals begin with a control character
const ESCAPE_SEQUENCES = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b./gu
const isBreak = (kind: UnsafeKind): boolean => kind === 'control' || kind === 'line-separator' || kind === 'bidi'

/**
 * The text without escape sequences, control characters, marks of direction and line ends; runs of blanks are one,
 * those at its ends go.
 */
export const plainLine = (text: string): string =>
  replaceUnsafe(text.replace(ESCAPE_SEQUENCES, ''), (found, kind) => (isBreak(kind) ? ' ' : found))
    .replace(/\s+/gu, ' ')
    .trim()

/** The line, or its beginning with `…`: at most `maxCharacters` UTF-16 units in all. Never half a surrogate pair. */
export const cutLine = (text: string, maxCharacters: number): string => {
  if (text.length <= maxCharacters) return text
  const cut = text.slice(0, maxCharacters - 1)
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`
}

/**
 * The plain line, cut, with our tags escaped and unseen characters shown: data that can't close the section. Never
 * longer than `maxCharacters`.
 */
export const escapedLine = (text: string, maxCharacters: number): string =>
  cutLine(showUnseen(escapeTags(cutLine(plainLine(text), maxCharacters))), maxCharacters)
