/**
 * Text of the store as it is: data, whatever it holds. Unsafe characters are shown instead of obeyed: control characters
 * (ANSI codes begin with one) as their pictures, the others by their numbers, hidden tag characters as the sentence they
 * spell. Text that is written from right to left keeps that to itself.
 */
import { asCodePoints, controlPicture, replaceUnsafe, type UnsafeKind } from '@cairn/core/unsafe-characters'

const FIRST_C1 = '\u0080'
const FIRST_TAG = 0xe0000

/** Returns invisible tags as the text that they hide, in brackets. */
const tagText = (tags: string): string =>
  `⟨tags: ${Array.from(tags, (tag) => String.fromCodePoint((tag.codePointAt(0) ?? 0) - FIRST_TAG))
    .join('')
    .replace(/[^ -~]/g, '·')}⟩`

/**
 * Returns an unsafe character as something visible. Control characters are shown as their pictures, all others by their
 * code points.
 */
const visible = (found: string, kind: UnsafeKind): string => {
  if (kind === 'control' && found < FIRST_C1) return controlPicture(found)
  return kind === 'tag' ? tagText(found) : asCodePoints(found, (code) => `⟨U+${code.toUpperCase().padStart(4, '0')}⟩`)
}

/**
 * Returns a text with its unsafe characters made visible: `ESC[31m` as `␛[31m`, a direction override as `⟨U+202E⟩`;
 * line ends and tabs stay.
 */
export const visibleText = (text: string): string => replaceUnsafe(text.replace(/\r\n/g, '\n'), visible)

/** A text of the store as {@link visibleText} shows it, isolated from the direction of the text around it. */
export const StoreText = ({ text }: { readonly text: string }) => <bdi>{visibleText(text)}</bdi>
