/** English function words, such as "the" or "of": they say little by themselves. */

/** A line for each kind: articles, pronouns, question words, conjunctions, prepositions, auxiliaries, adverbs. */
const FUNCTION_WORDS = new Set(
  [
    'a an the this that these those some any all both each every either neither such no',
    'i me my mine myself you your yours yourself he him his himself she her hers herself it its itself we us our ours ourselves they them their theirs themselves one',
    'who whom whose what which when where why how whether',
    'and or but nor so if then than as because although though while unless',
    'of in on at to for with by from about into onto during after before between among through across over under within without against toward towards upon via per until since along around behind beside beyond above below near off out up down',
    'is are was were be been being am do does did done doing has have had having will would can could shall should may might must',
    'not there here also just only too very',
  ].flatMap((words) => words.split(' ')),
)

/** Whether a word (in lower case without accents, not stemmed) is a function word, of English. */
export const isFunctionWord = (word: string): boolean => FUNCTION_WORDS.has(word)
