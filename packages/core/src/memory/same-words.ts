/**
 * When two texts say the same: the same words in the same order, whatever their case, spacing and punctuation. Never
 * compared as sets: "YAML not JSON" is not "JSON not YAML".
 */

/** Characters before and after a word that are not part of it. Signs that code gives a meaning (`.env`, `!x`, `-f`, `C++`) are kept. */
const BEFORE = /^["'`([{«¿¡]+/
const AFTER = /(?:\(\)|["'`)\]}».,;:!?])+$/
const PUNCTUATION_ONLY = /^["'`()[\]{}«»¿¡.,;:!?\-–—•]+$/
const QUOTES = /[‘’‚‛“”„‟]/g

/** The words of a text that count when it is compared, in their order. */
const wordSequence = (text: string): readonly string[] =>
  text
    .normalize('NFKC')
    .replace(QUOTES, "'")
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '' && !PUNCTUATION_ONLY.test(word))
    .map((word) => word.replace(BEFORE, '').replace(AFTER, '') || word)

/**
 * A key that is the same for all texts with the same words in the same order, whatever their case and marks. Of a text
 * without words it is the text itself.
 */
export const wordKey = (text: string): string => wordSequence(text).join(' ') || text.trim()
