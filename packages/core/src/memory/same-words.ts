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

/** The same text for all texts that say the same. A text without words is compared as it is. */
export const wordKey = (text: string): string => wordSequence(text).join(' ') || text.trim()
