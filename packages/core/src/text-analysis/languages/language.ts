/**
 * German, French, Spanish and Portuguese: which of them a text is in, their function words, and the stems of their
 * words. English is what the rest of the analysis knows.
 */
import { foldText } from '../characters.ts'
import { hashText } from '../hash.ts'
import { frenchStem, germanStem, portugueseStem, spanishStem } from './light-stems.ts'

/** A language, besides English, whose words are stemmed. */
export type Language = 'de' | 'fr' | 'es' | 'pt'
export const LANGUAGES: readonly Language[] = ['de', 'fr', 'es', 'pt']

const STEMS: Readonly<Record<Language, (word: string) => string>> = {
  de: germanStem,
  fr: frenchStem,
  es: spanishStem,
  pt: portugueseStem,
}

/** Without accents, as `foldText` returns them. English ones only count against the others. */
const FUNCTION_WORDS: Readonly<Record<Language | 'en', string>> = {
  de: 'der die das den dem des ein eine einen einem einer eines und oder aber denn weil dass daß ob wenn als wie wo was wer wen wem wann warum wieso weshalb welche welcher welches ich du er sie es wir ihr mich dich sich uns euch mir dir ihm ihn mein meine dein deine sein seine unser unsere ist sind war waren wird werden wurde wurden hat haben hatte hatten bin bist kann konnen konnte muss mussen soll sollte will wollen darf nicht kein keine keinen auch nur noch schon sehr dann da hier dort in im an am auf aus bei mit nach von vom vor zu zum zur uber unter zwischen fur gegen ohne um durch bis seit wahrend diese dieser dieses diesen man so doch mal bitte',
  fr: 'le la les un une des du de au aux et ou mais donc car ni que qui quoi dont quand comment pourquoi combien quel quelle quels quelles je tu il elle on nous vous ils elles me te se lui leur moi toi mon ma mes ton ta tes son sa ses notre nos votre vos ce cet cette ces cela ca est sont etait etaient sera suis es etes sommes ont avons avez avait avaient fait faut peut doit ne pas plus non dans en sur sous avec sans pour par entre chez vers depuis avant apres aussi encore deja tres bien alors y si',
  es: 'el la los las un una unos unas de del al y o pero porque que quien cual cuales cuando donde como por para con sin sobre entre desde hasta en yo tu el ella ello nosotros vosotros ellos ellas me te se nos os le les lo mi mis su sus nuestro nuestra este esta estos estas ese esa eso esto aquel es son era eran fue fueron sera estan estaba hay ha han habia he hemos tiene tienen puede pueden debe no si ya muy mas tambien solo aun cada todo todos toda todas qué cómo',
  pt: 'o a os as um uma uns umas de do da dos das no na nos nas ao aos pelo pela pelos pelas e ou mas porque que quem qual quais quando onde como por para com sem sobre entre desde ate em eu tu ele ela voce voces eles elas me te se lhe lhes meu minha meus minhas seu sua seus suas nosso nossa este esta estes estas esse essa isso isto aquele aquela foi foram era eram sera estao estava ha tem tinha pode podem deve nao sim ja muito mais tambem so ainda cada todo todos toda todas numa num',
  en: 'the a an and or but if then than that this these those i you he she it we they me him her us them my your his its our their is are was were be been am do does did has have had can could will would should must not no of in on at to for with by from about into as so what when where which who why how there here all any some one only just also',
}

const bitOf = (language: Language): number => 1 << LANGUAGES.indexOf(language)
const ENGLISH_BIT = 1 << LANGUAGES.length

/** Which languages a function word belongs to, as bits. */
const languagesOf = new Map<string, number>()
for (const [language, bit] of [...LANGUAGES.map((each) => [each, bitOf(each)] as const), ['en', ENGLISH_BIT] as const])
  for (const word of FUNCTION_WORDS[language].split(' ')) {
    const folded = foldText(word)
    languagesOf.set(folded, (languagesOf.get(folded) ?? 0) | bit)
  }

/** Whether a word, in lower case without accents, is a function word of the language. */
export const isFunctionWordOf = (word: string, language: Language): boolean =>
  ((languagesOf.get(word) ?? 0) & bitOf(language)) !== 0

const WORD = /[\p{L}\p{M}]+/gu
/** How many characters of a text tell its language. */
export const LANGUAGE_CHARACTERS = 800
/** English leads by so many function words: no other language is looked for any more. */
const CLEAR_LEAD = 3

/**
 * The language by the function words of the first 800 characters: `en` if no other language has more of them than
 * English. Undefined if there is no such word, if fewer than `fewest` tell of the other language, or if two other
 * languages have the same number.
 */
export const guessLanguage = (text: string, fewest = 2): Language | 'en' | undefined => {
  const counts = LANGUAGES.map(() => 0)
  let english = 0
  for (const [word] of text.slice(0, LANGUAGE_CHARACTERS).matchAll(WORD)) {
    const bits = languagesOf.get(foldText(word)) ?? 0
    if (bits === 0) continue
    if ((bits & ENGLISH_BIT) !== 0) english += 1
    LANGUAGES.forEach((language, index) => {
      if ((bits & bitOf(language)) !== 0) counts[index] = (counts[index] ?? 0) + 1
    })
    if (english - Math.max(...counts) >= CLEAR_LEAD) return 'en'
  }
  const most = Math.max(...counts)
  if (english >= most) return english === 0 ? undefined : 'en'
  const [best, ...others] = LANGUAGES.filter((_, index) => counts[index] === most)
  return most < fewest || others.length > 0 ? undefined : best
}

/** Shorter words have no endings that tell; longer ones are names that programs made. */
const SHORTEST = 4
const LONGEST = 24
const PLAIN = /^[a-z]+$/

const stemHashes: Readonly<Record<Language, Map<string, number>>> = {
  de: new Map(),
  fr: new Map(),
  es: new Map(),
  pt: new Map(),
}
const MOST_CACHED = 20_000

/**
 * The term of a word's stem in a language, which is no term of any other language; undefined for function words and for
 * what is no plain word. The word is in lower case without accents.
 */
export const stemHash = (word: string, language: Language): number | undefined => {
  if (word.length < SHORTEST || word.length > LONGEST || !PLAIN.test(word) || isFunctionWordOf(word, language))
    return undefined
  const cache = stemHashes[language]
  const known = cache.get(word)
  if (known !== undefined) return known
  const hash = hashText(`${language}:${STEMS[language](word)}`)
  if (cache.size >= MOST_CACHED) cache.clear()
  cache.set(word, hash)
  return hash
}
