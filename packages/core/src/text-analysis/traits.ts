/** Traits of single words, as bits of a message's flags that the ranking reads. */

/** Bits of {@link traitsOf}. */
export const TRAITS = {
  /** Digits. */
  number: 1,
  /** A day, month, or a word such as "yesterday". */
  time: 2,
  /** Has a capital letter within a sentence. */
  name: 4,
  /** "I", "my". */
  firstPerson: 8,
  /** "because", "since". */
  reason: 16,
  /** Hours, weeks, years. */
  duration: 32,
  /** "error", "failed". */
  failure: 64,
} as const

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '))

const TIME = setOf(
  'yesterday today tonight tomorrow ago recently lately monday tuesday wednesday thursday friday saturday sunday weekend january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec last next morning afternoon evening night week month year summer winter spring fall autumn',
)
const FIRST_PERSON = setOf('i my me mine im ive ill myself we our us')
const REASON = setOf('because since cause reason why therefore hence thus so')
const DURATION = setOf(
  'second seconds minute minutes hour hours day days week weeks month months year years decade decades',
)
const FAILURE = setOf(
  'error errors err fail failed fails failing failure failures exception exceptions panic fatal traceback undefined cannot denied refused invalid',
)

/**
 * The bits of {@link TRAITS} that a word has, combined by or; 0 if none. `raw` as written, `text` as of `foldText`.
 * `number`: its first character is a digit. `name`: it begins with a capital; the caller removes that bit at the start
 * of a sentence.
 */
export const wordTraits = (raw: string, text: string): number => {
  const first = text.charCodeAt(0)
  let traits = first >= 48 && first <= 57 ? TRAITS.number : 0
  if (text.length <= 10) {
    if (TIME.has(text)) traits |= TRAITS.time
    if (FIRST_PERSON.has(text)) traits |= TRAITS.firstPerson
    if (REASON.has(text)) traits |= TRAITS.reason
    if (DURATION.has(text)) traits |= TRAITS.duration
    if (FAILURE.has(text)) traits |= TRAITS.failure
  }
  const letter = raw.charCodeAt(0)
  const capital = (letter >= 65 && letter <= 90) || (letter > 127 && /^\p{Lu}/u.test(raw))
  return capital && raw.length > 1 && raw !== 'I' ? traits | TRAITS.name : traits
}
