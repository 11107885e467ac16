/**
 * Makes text from transcripts safe to print on a terminal: an agent's tool may have printed sequences that clear the
 * screen, set its title or write to the clipboard. They are displayed, not executed.
 */
import { controlPicture, replaceUnsafe } from '@cairn/core'

/** Text of several lines: control characters as pictures, all else that is unsafe as `\ufffd`; `\r\n` becomes `\n`. */
export const neutralise = (text: string): string => replaceUnsafe(text.replaceAll('\r\n', '\n'), controlPicture)

/**
 * A text as one line that is safe to print: unsafe characters as in {@link neutralise}, line breaks and runs of spaces
 * as one space.
 */
export const neutraliseLine = (text: string): string => neutralise(text.replace(/\s+/g, ' ')).trim()
