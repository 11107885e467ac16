/** Prepares a stored text for a prompt: one line, limited in length, without control characters. */
import { escapeTags } from '../summary/markup.ts'
import { showUnseen } from '../summary/unseen-characters.ts'
import { replaceUnsafe, type UnsafeKind } from '../unsafe-characters.ts'

// eslint-disable-next-line no-control-regex -- escape sequences of terminals begin with a control character
const ESCAPE_SEQUENCES = /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b./gu
const isBreak = (kind: UnsafeKind): boolean => kind === 'control' || kind === 'line-separator' || kind === 'bidi'

/**
 * The text without escape sequences, control characters, direction marks and line breaks; whitespace is collapsed and
 * trimmed.
 */
export const plainLine = (text: string): string =>
  replaceUnsafe(text.replace(ESCAPE_SEQUENCES, ''), (found, kind) => (isBreak(kind) ? ' ' : found))
    .replace(/\s+/gu, ' ')
    .trim()

/**
 * The line, or its beginning followed by `…`, of at most `maxCharacters` UTF-16 units. Never splits a surrogate pair.
 */
export const cutLine = (text: string, maxCharacters: number): string => {
  if (text.length <= maxCharacters) return text
  const cut = text.slice(0, maxCharacters - 1)
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`
}

/**
 * The plain line, cut, with Cairn's tags escaped and invisible characters made visible: data that can't close the
 * section. Never longer than `maxCharacters`.
 */
export const escapedLine = (text: string, maxCharacters: number): string =>
  cutLine(showUnseen(escapeTags(cutLine(plainLine(text), maxCharacters))), maxCharacters)
