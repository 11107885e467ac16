/**
 * Makes foreign text harmless in the editor. Transcripts hold whatever a tool printed: control sequences, marks that
 * change the direction of writing (a command then reads as another), line ends that the editor warns of. They are made
 * visible.
 */
import { controlPicture, replaceUnsafe } from '@cairn/core/unsafe-characters'

/** Text of several lines: control characters as pictures, all else that is unsafe as `\ufffd`; `\r\n` becomes `\n`. */
export const neutralise = (text: string): string => replaceUnsafe(text.replaceAll('\r\n', '\n'), controlPicture)

/**
 * A text as one line that is safe to show: unsafe characters as in {@link neutralise}, line breaks and runs of blanks as
 * one space, none at its ends.
 */
export const neutraliseLine = (text: string): string => neutralise(text.replace(/\s+/g, ' ')).trim()

/** At most `maxLength` UTF-16 units; what was cut shows as `…`. */
export const shorten = (text: string, maxLength: number): string => {
  if (text.length <= maxLength) return text
  const cut = text.slice(0, maxLength - 1)
  // Not between the halves of a surrogate pair.
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`
}
