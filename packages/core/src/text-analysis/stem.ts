/**
 * English stemmer: "refreshing", "refreshes" and "refreshed" have the stem "refresh".
 * M. F. Porter, "An algorithm for suffix stripping", Program 14 (1980) 3, with the two changes of its author's
 * program: "bli" in place of "abli", and "logi".
 */

/** The stem of a word in the letters a to z; one of under three letters is its own. */
export const stem = (word: string): string => {
  if (word.length < 3) return word
  const adjective = softened(tense(plural(word)))
  return ending(cut(replaced(replaced(adjective, DOUBLE_SUFFIXES), SUFFIXES)))
}

const [A, E, I, O, U, Y] = [97, 101, 105, 111, 117, 121]

/** Whether a letter is a consonant in Porter's sense; `y` is one at the beginning and after a vowel. */
const isConsonant = (word: string, index: number): boolean => {
  const letter = word.charCodeAt(index)
  if (letter === Y) return index === 0 || !isConsonant(word, index - 1)
  return !(letter === A || letter === E || letter === I || letter === O || letter === U)
}

/**
 * Porter's measure: how many times a consonant follows a vowel in the first `length` letters. It counts runs of vowels
 * that a consonant follows.
 */
const measure = (word: string, length: number): number => {
  let count = 0
  let vowel = false
  for (let index = 0; index < length; index++) {
    const consonant = isConsonant(word, index)
    if (consonant && vowel) count++
    vowel = !consonant
  }
  return count
}

/** Whether one of the first `length` letters is a vowel. */
const hasVowel = (word: string, length: number): boolean => {
  for (let index = 0; index < length; index++) if (!isConsonant(word, index)) return true
  return false
}

/** Whether a word ends in two equal consonants. */
const endsDouble = (word: string): boolean => {
  const last = word.length - 1
  return last > 0 && word[last] === word[last - 1] && isConsonant(word, last)
}

/** Consonant, vowel, consonant other than w, x, y: "hop", not "snow". */
const endsShort = (word: string, length: number): boolean =>
  length > 2 &&
  isConsonant(word, length - 3) &&
  !isConsonant(word, length - 2) &&
  isConsonant(word, length - 1) &&
  !'wxy'.includes(word.charAt(length - 1))

/** Porter's step 1a: without the plural's ending. */
const plural = (word: string): string => {
  if (!word.endsWith('s')) return word
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2)
  return word.endsWith('ss') ? word : word.slice(0, -1)
}

/** Porter's steps for `-eed`, `-ed` and `-ing`. A word without a vowel before the ending stays. */
const tense = (word: string): string => {
  if (word.endsWith('eed')) return measure(word, word.length - 3) > 0 ? word.slice(0, -1) : word
  const suffix = word.endsWith('ed') ? 2 : word.endsWith('ing') ? 3 : 0
  if (suffix === 0 || !hasVowel(word, word.length - suffix)) return word
  const rest = word.slice(0, -suffix)
  if (rest.endsWith('at') || rest.endsWith('bl') || rest.endsWith('iz')) return `${rest}e`
  if (endsDouble(rest)) return 'lsz'.includes(rest.charAt(rest.length - 1)) ? rest : rest.slice(0, -1)
  return measure(rest, rest.length) === 1 && endsShort(rest, rest.length) ? `${rest}e` : rest
}

const softened = (word: string): string =>
  word.endsWith('y') && hasVowel(word, word.length - 1) ? `${word.slice(0, -1)}i` : word

type Rule = readonly [suffix: string, instead: string]
/** Rules by the last letter of their suffix, since most words end in another letter; in their order. */
type ByLastLetter<T> = ReadonlyMap<string, readonly T[]>

const byLastLetter = <T>(rules: readonly T[], suffixOf: (rule: T) => string): ByLastLetter<T> =>
  Map.groupBy(rules, (rule) => suffixOf(rule).slice(-1))

const rulesOf = (rules: readonly Rule[]): ByLastLetter<Rule> => byLastLetter(rules, ([suffix]) => suffix)

const DOUBLE_SUFFIXES = rulesOf([
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['bli', 'ble'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
  ['logi', 'log'],
])

const SUFFIXES = rulesOf([
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
])

/** Replaces the first suffix that fits, if enough of the word is left before it; otherwise the word stays. */
const replaced = (word: string, rules: ByLastLetter<Rule>): string => {
  for (const [suffix, instead] of rules.get(word.charAt(word.length - 1)) ?? []) {
    if (!word.endsWith(suffix)) continue
    const length = word.length - suffix.length
    return measure(word, length) > 0 ? word.slice(0, length) + instead : word
  }
  return word
}

/** Longer suffixes first: "ement", "ment", "ent". */
const REMOVED = byLastLetter(
  'al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize'.split(' '),
  (suffix) => suffix,
)

/** Porter's step 4: without the first suffix that fits, if enough of the word is left before it. */
const cut = (word: string): string => {
  for (const suffix of REMOVED.get(word.charAt(word.length - 1)) ?? []) {
    if (!word.endsWith(suffix)) continue
    const length = word.length - suffix.length
    const fits = suffix !== 'ion' || 'st'.includes(word.charAt(length - 1) || ' ')
    return fits && measure(word, length) > 1 ? word.slice(0, length) : word
  }
  return word
}

/** Porter's step 5: without a final `e`, and one `l` of two. */
const ending = (word: string): string => {
  let rest = word
  if (rest.endsWith('e')) {
    const length = rest.length - 1
    const count = measure(rest, length)
    if (count > 1 || (count === 1 && !endsShort(rest, length))) rest = rest.slice(0, length)
  }
  return rest.endsWith('ll') && measure(rest, rest.length - 1) > 1 ? rest.slice(0, -1) : rest
}
