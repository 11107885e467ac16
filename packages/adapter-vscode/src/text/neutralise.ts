/**
 * Makes foreign text harmless in the editor. Transcripts hold whatever a tool printed: control sequences, marks that
 * change the direction of writing (a command then reads as another), line ends that the editor warns of. They are made
 * visible.
 */
import { controlPicture, replaceUnsafe } from '@cairn/core/unsafe-characters'

/**
 * Returns a text of several lines that is safe to show: control characters become pictures of them, other unsafe
 * characters `\ufffd`, and `\r\n` becomes `\n`.
 */
export const neutralise = (text: string): string => replaceUnsafe(text.replaceAll('\r\n', '\n'), controlPicture)

/**
 * Returns a text as one line that is safe to show: as {@link neutralise}, with each run of blanks and line breaks as
 * one space and none at the ends.
 */
export const neutraliseLine = (text: string): string => neutralise(text.replace(/\s+/g, ' ')).trim()

/** Returns a text cut to at most `maxLength` UTF-16 units, the last of them `…`; a shorter text unchanged. */
export const shorten = (text: string, maxLength: number): string => {
  if (text.length <= maxLength) return text
  const cut = text.slice(0, maxLength - 1)
  // Not between the halves of a surrogate pair.
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`
}
