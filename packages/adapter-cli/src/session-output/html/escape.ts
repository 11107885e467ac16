/** Text as HTML: nothing of it is markup, nothing hides. */
import { asCodePoints, controlPicture, replaceUnsafe, type UnsafeKind } from '@cairn/core'

const MARKUP = /[&<>"']/g
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** ESC is ␛; what displays nothing is its number; Unicode's own line ends are line ends. */
const visible = (found: string, kind: UnsafeKind): string => {
  if (kind === 'control') return controlPicture(found)
  return kind === 'line-separator' ? '\n' : asCodePoints(found, (code) => `[U+${code.toUpperCase().padStart(4, '0')}]`)
}

const escapeMarkup = (text: string): string => {
  const wellFormed = text.toWellFormed()
  const lines = wellFormed.includes('\r') ? wellFormed.replaceAll('\r\n', '\n').replaceAll('\r', '\n') : wellFormed
  return lines.replace(MARKUP, (letter) => ENTITIES[letter] ?? letter)
}

/** Content of an element. What is not to be seen is made visible, and marked as that. */
export const escapeText = (text: string): string =>
  replaceUnsafe(escapeMarkup(text), (found, kind) => {
    const shown = visible(found, kind)
    return shown === '\n' ? shown : `<span class="ctl">${shown}</span>`
  })

/** Value of an attribute in double quotes, or text that may hold no element. */
export const escapeAttribute = (text: string): string => replaceUnsafe(escapeMarkup(text), visible)
