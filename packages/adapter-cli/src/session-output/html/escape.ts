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
 * A visible form of an unsafe character: ␛ for ESC, its number for an invisible one, a line end for Unicode's line
 * ends.
 */
const visible = (found: string, kind: UnsafeKind): string => {
  if (kind === 'control') return controlPicture(found)
  return kind === 'line-separator' ? '\n' : asCodePoints(found, (code) => `[U+${code.toUpperCase().padStart(4, '0')}]`)
}

/** A text in which no character is markup. */
const escapeMarkup = (text: string): string => {
  const wellFormed = text.toWellFormed()
  const lines = wellFormed.includes('\r') ? wellFormed.replaceAll('\r\n', '\n').replaceAll('\r', '\n') : wellFormed
  return lines.replace(MARKUP, (letter) => ENTITIES[letter] ?? letter)
}

/** A text as the content of an element. Unsafe characters are made visible, and marked; line breaks stay. */
export const escapeText = (text: string): string =>
  replaceUnsafe(escapeMarkup(text), (found, kind) => {
    const shown = visible(found, kind)
    return shown === '\n' ? shown : `<span class="ctl">${shown}</span>`
  })

/**
 * A text as an attribute's value in double quotes, or where elements are not allowed: markup is escaped, unsafe characters
 * are shown as visible ones.
 */
export const escapeAttribute = (text: string): string => replaceUnsafe(escapeMarkup(text), visible)
