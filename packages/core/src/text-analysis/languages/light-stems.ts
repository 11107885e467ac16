/**
 * Light stemmers for words without accents: they take off the endings of number, gender and case, of French and Spanish
 * also some of verbs, and leave the rest of a word alone, so that names and borrowed words keep their shape.
 * J. Savoy, "Light stemming approaches for the French, Portuguese, German and Hungarian languages" (SAC 2006).
 */

const GERMAN_S_FOLLOWS = 'bdfghklmnt'

/**
 * The word (without accents) without a German ending of case or number; short words stay. "hausern" is "haus", "neuen"
 * is "neu".
 */
const germanCase = (word: string): string => {
  if (word.length > 5 && word.endsWith('ern')) return word.slice(0, -3)
  if (word.length > 4 && /e[mnrs]$/.test(word)) return word.slice(0, -2)
  if (word.length > 3 && word.endsWith('e')) return word.slice(0, -1)
  return word.length > 3 && word.endsWith('s') && GERMAN_S_FOLLOWS.includes(word.charAt(word.length - 2))
    ? word.slice(0, -1)
    : word
}

/** The word without a German ending of comparison. Short words stay. */
const germanComparison = (word: string): string => {
  if (word.length > 5 && word.endsWith('est')) return word.slice(0, -3)
  if (word.length > 4 && /e[nr]$/.test(word)) return word.slice(0, -2)
  return word.length > 4 && word.endsWith('st') && GERMAN_S_FOLLOWS.includes(word.charAt(word.length - 3))
    ? word.slice(0, -2)
    : word
}

/** "Verbindungen" and "Verbindung"; "Häuser" and "Haus". */
export const germanStem = (word: string): string => germanComparison(germanCase(word))

/**
 * The word without a French ending: "connexions" and "connexion"; "sauvegarder", "sauvegardé" and "sauvegardées";
 * "journaux" and "journal" become one. Words below six letters stay.
 */
export const frenchStem = (word: string): string => {
  if (word.length < 6) return word
  if (word.endsWith('aux')) return `${word.slice(0, -2)}l`
  const rest = word
    .replace(/[sx]$/, '')
    .replace(/r$/, '')
    .replace(/e{1,2}$/, '')
  return rest.replace(/([a-z])\1$/, '$1')
}

/**
 * The word without a Spanish ending of gender or number, as in "conexiones", "rápidas" and "voces" (which gives "voz");
 * words below five letters stay.
 */
export const spanishStem = (word: string): string => {
  if (word.length < 5) return word
  if (/[aeo]$/.test(word)) return word.slice(0, -1)
  if (word.endsWith('ces')) return `${word.slice(0, -3)}z`
  return /[aeo]s$/.test(word) ? word.slice(0, -2) : word
}

/** The plurals of Portuguese, the first that fits; `ões` has no accents here. */
const PORTUGUESE_PLURALS: readonly (readonly [ending: RegExp, instead: string])[] = [
  [/(?:oes|aes|aos)$/, 'ao'],
  [/(?<=[rslz])es$/, ''],
  [/ns$/, 'm'],
  [/eis$/, 'el'],
  [/ais$/, 'al'],
  [/ois$/, 'ol'],
  [/s$/, ''],
]

/** "conexões" and "conexão"; "arquivos" and "arquivo"; "locais" and "local". Words under 4 letters stay as they are. */
export const portugueseStem = (word: string): string => {
  if (word.length < 4) return word
  const plural = PORTUGUESE_PLURALS.find(([ending]) => ending.test(word))
  const singular = plural === undefined ? word : word.replace(plural[0], plural[1])
  return singular.length > 4 ? singular.replace(/[aeo]$/, '') : singular
}
