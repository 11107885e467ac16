/** The text of a file's bytes, where they are text for the most part. */
import { visibleText } from './delimited.ts'

/** Stands for bytes that are no UTF-8. */
const REPLACEMENT = '\ufffd'
/** Of so many characters at most one may stand for broken bytes: text in Latin-1 has fewer, compressed data more. */
const CHARACTERS_PER_BROKEN = 4

/** A text made visible. `isLossy`: U+FFFD in it stands for bytes that are no UTF-8. */
export interface DecodedText {
  readonly text: string
  readonly isLossy: boolean
}

/**
 * Returns the text of UTF-8, made visible; undefined where more than a quarter of its characters stand for bytes that
 * are no UTF-8.
 */
export const decodedText = (content: Uint8Array): DecodedText | undefined => {
  try {
    return { text: visibleText(new TextDecoder('utf-8', { fatal: true }).decode(content)), isLossy: false }
  } catch {
    const text = new TextDecoder('utf-8').decode(content)
    return isMostlyBroken(text) ? undefined : { text: visibleText(text), isLossy: true }
  }
}

/** Whether so much of a decoded text is U+FFFD that its bytes can't have been text in UTF-8. */
export const isMostlyBroken = (text: string): boolean =>
  (text.split(REPLACEMENT).length - 1) * CHARACTERS_PER_BROKEN > text.length

/** What is odd about a part of a decoded text, as the end of a sentence about it; undefined for nothing. */
export const lossNotice = (part: string, { isLossy }: DecodedText): string | undefined =>
  isLossy && part.includes(REPLACEMENT) ? `is not UTF-8: bytes that are no text are sent as ${REPLACEMENT}` : undefined
