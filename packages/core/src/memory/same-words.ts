/**
 * Decides whether two texts say the same: the same words in the same order, ignoring case, spacing and punctuation.
 * Words are never compared as sets: "YAML not JSON" is not "JSON not YAML".
 */

/**
 * Characters before and after a word that are not part of it. Characters with a meaning in code (`.env`, `!x`, `-f`,
 * `C++`) are kept.
 */
const BEFORE = /^["'`([{«¿¡]+/
const AFTER = /(?:\(\)|["'`)\]}».,;:!?])+$/
const PUNCTUATION_ONLY = /^["'`()[\]{}«»¿¡.,;:!?\-–—•]+$/
const QUOTES = /[‘’‚‛“”„‟]/g

/**
 * The words of a text that count when it is compared, in their order. In lower case, without the punctuation around
 * them; words of punctuation alone do not count.
 */
const wordSequence = (text: string): readonly string[] =>
  text
    .normalize('NFKC')
    .replace(QUOTES, "'")
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '' && !PUNCTUATION_ONLY.test(word))
    .map((word) => word.replace(BEFORE, '').replace(AFTER, '') || word)

/**
 * A key shared by all texts with the same words in the same order, ignoring case and punctuation. For a text without
 * words, the text itself.
 */
export const wordKey = (text: string): string => wordSequence(text).join(' ') || text.trim()
