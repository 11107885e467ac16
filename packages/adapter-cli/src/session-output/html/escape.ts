/** Text as HTML in which nothing is markup and no character is invisible. */
import { asCodePoints, controlPicture, replaceUnsafe, type UnsafeKind } from '@cairn/core'

const MARKUP = /[&<>"']/g
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/**
 * A visible form of an unsafe character: ␛ for ESC, the code point of an invisible one, a line feed for Unicode's line
 * separators.
 */
const visible = (found: string, kind: UnsafeKind): string => {
  if (kind === 'control') return controlPicture(found)
  return kind === 'line-separator' ? '\n' : asCodePoints(found, (code) => `[U+${code.toUpperCase().padStart(4, '0')}]`)
}

/** Returns a text in which no character is markup; line ends are `\n`. */
const escapeMarkup = (text: string): string => {
  const wellFormed = text.toWellFormed()
  const lines = wellFormed.includes('\r') ? wellFormed.replaceAll('\r\n', '\n').replaceAll('\r', '\n') : wellFormed
  return lines.replace(MARKUP, (letter) => ENTITIES[letter] ?? letter)
}

/** Returns a text as the content of an element. Unsafe characters are made visible and marked; line breaks stay. */
export const escapeText = (text: string): string =>
  replaceUnsafe(escapeMarkup(text), (found, kind) => {
    const shown = visible(found, kind)
    return shown === '\n' ? shown : `<span class="ctl">${shown}</span>`
  })

/**
 * Returns a text as an attribute's value in double quotes: markup is escaped and unsafe characters are made visible,
 * without elements.
 */
export const escapeAttribute = (text: string): string => replaceUnsafe(escapeMarkup(text), visible)
