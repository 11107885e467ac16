/**
 * Four bits that tell apart in which form a stem's word stood, so that the very word of the query counts for more than
 * its relatives without a second index.
 */

/** The word itself, its plural or third person, its -ing, any other ("refreshed", "refresher"). */
export const FORM_BITS = { plain: 1, s: 2, ing: 4, other: 8 } as const

/** The bit of a word's form, given its stem. */
export const formOf = (word: string, stemmed: string): number => {
  if (word === stemmed) return FORM_BITS.plain
  if (word.endsWith('ing')) return FORM_BITS.ing
  if (word.endsWith('s')) return FORM_BITS.s
  // "happi" stands for "happy", "relat" for "relate".
  return word.length <= stemmed.length + 1 && /[ey]$/.test(word) ? FORM_BITS.plain : FORM_BITS.other
}
