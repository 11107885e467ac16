// Synthetic chat for the benchmark of a large store: words as frequent as those of a language, sessions with a subject.
import { randomNumbers } from './numbers.mjs'

const VOCABULARY = 60_000
/** Function words, most frequent first. */
const COMMON =
  'the of and to a in is that for it was on are as with be at this have from or by not but what all were when we there can an your which their if do will each how them then many some so these would other into has more two like him see time could no make than first been its who now people my made over did down only way find use may long little very after words called just where most know get through back much go good new write our me man too any day same right look think also around another came come work three must because does part even place well such here take why help put different away again off went old number great tell men say small every found still between name should home big give air line set own under read last never us left end along while might next sound below saw something thought both few those always show large often together asked house world going want school important until form food keep children feet land side without boy once animal life enough took four head above kind began almost live page got earth need far hand high year mother light country father let night picture being study second soon story since white ever paper hard near sentence better best across during today however sure knew trying told young sun thing whole hear example heard several change answer room sea against top turned learn point city play toward five himself usually money seen car morning given'.split(
    ' ',
  )
const ONSETS = 'b c d f g h l m n p r s t v w br cl cr dr fl gr pl pr sl sp st str tr ch sh th'.split(' ')
const NUCLEI = 'a e i o u ai ea ee ie oa ou'.split(' ')
const CODAS = ['', '', '', 'n', 'r', 's', 't', 'l', 'm', 'ck', 'nd', 'nt', 'st', 'ng']
const WORDS_PER_MESSAGE = 32
const SUBJECT_WORDS = 40
const SUBJECT_SHARE = 0.25

/** The vocabulary, most frequent first. */
function words() {
  const random = randomNumbers(3)
  const one = (values) => values[Math.floor(random() * values.length)]
  const found = new Set(COMMON)
  while (found.size < VOCABULARY) {
    const syllables = 1 + Math.floor(random() * 3) + (found.size > 5_000 ? 1 : 0)
    let word = ''
    for (let index = 0; index < syllables; index += 1)
      word += one(ONSETS) + one(NUCLEI) + (index === syllables - 1 || random() < 0.3 ? one(CODAS) : '')
    found.add(word)
  }
  return [...found]
}

/**
 * Made-up talk; the same seed gives the same. `text` makes a message on a subject, `subject` one for a session,
 * `random` gives the numbers that both take.
 * @param {number} seed
 */
export function talk(seed) {
  const random = randomNumbers(seed)
  const vocabulary = words()
  // Zipf's law by the inverse of its cumulated sum.
  const scale = Math.log(VOCABULARY + 1)
  const rank = () => Math.min(VOCABULARY - 1, Math.floor(Math.exp(random() * scale)) - 1)
  const text = (subject) => {
    const count = Math.round(WORDS_PER_MESSAGE * (0.4 + 1.2 * random()))
    const parts = []
    for (let index = 0; index < count; index += 1) {
      const word = vocabulary[random() < SUBJECT_SHARE ? subject[Math.floor(random() * subject.length)] : rank()]
      parts.push(index % 12 === 11 ? `${word}.` : word)
    }
    return parts.join(' ')
  }
  /** Ranks of the words that a session repeats: its subject. */
  const subject = () => Array.from({ length: SUBJECT_WORDS }, () => Math.max(rank(), Math.floor(random() * 20_000)))
  return { text, subject, random }
}
