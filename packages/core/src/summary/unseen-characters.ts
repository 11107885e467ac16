/**
 * How a prompt shows invisible characters: they could hide text from the person who reads along, or split words that
 * are searched for. Control characters are left to the caller.
 */
import { asCodePoints, replaceUnsafe } from '../unsafe-characters.ts'

/** The text with invisible characters written `\u{200b}`; control characters stay. Doing it again changes nothing. */
export const showUnseen = (text: string): string =>
  replaceUnsafe(text, (found, kind) =>
    kind === 'control' || kind === 'lone-surrogate' ? found : asCodePoints(found, (code) => `\\u{${code}}`),
  )
