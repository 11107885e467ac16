/**
 * Four bits for the form in which a word occurred, so that the exact word of a query can count more than other words of
 * the same stem without a second index.
 */

/** The base word; its plural or third person; its -ing form; any other ("refreshed", "refresher"). */
export const FORM_BITS = { plain: 1, s: 2, ing: 4, other: 8 } as const

/**
 * The bit of {@link FORM_BITS} for the form in which a word stands (plain, `-ing`, `-s`, other), told from the word and
 * its stem.
 */
export const formBit = (word: string, stemmed: string): number => {
  if (word === stemmed) return FORM_BITS.plain
  if (word.endsWith('ing')) return FORM_BITS.ing
  if (word.endsWith('s')) return FORM_BITS.s
  // "happi" stands for "happy", "relat" for "relate".
  return word.length <= stemmed.length + 1 && /[ey]$/.test(word) ? FORM_BITS.plain : FORM_BITS.other
}
