/**
 * How a prompt shows characters that nobody sees: they could carry text to a model past the person who reads along, or
 * pull words apart that are searched for. Control characters are left to the caller.
 */
import { asCodePoints, replaceUnsafe } from '../unsafe-characters.ts'

/** The text with invisible characters written `\u{200b}`. Doing it again changes nothing. */
export const showUnseen = (text: string): string =>
  replaceUnsafe(text, (found, kind) =>
    kind === 'control' || kind === 'lone-surrogate' ? found : asCodePoints(found, (code) => `\\u{${code}}`),
  )
