/**
 * Makes text from transcripts safe to print on a terminal: an agent's tool may have printed sequences that clear the
 * screen, set its title or write to the clipboard. They are displayed, not executed.
 */
import { controlPicture, replaceUnsafe } from '@cairn/core'

/**
 * Returns a text of several lines that is safe to print: control characters as pictures, other unsafe ones as U+FFFD;
 * `\r\n` becomes `\n`.
 */
export const neutralise = (text: string): string => replaceUnsafe(text.replaceAll('\r\n', '\n'), controlPicture)

/**
 * Returns a text as one line that is safe to print, trimmed: unsafe characters as in {@link neutralise}, line breaks
 * and runs of white space as one space.
 */
export const neutraliseLine = (text: string): string => neutralise(text.replace(/\s+/g, ' ')).trim()
