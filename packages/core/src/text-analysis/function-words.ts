/** Words that hold a sentence together and say little by themselves. */

const FUNCTION_WORDS = new Set(
  'a an the and or of in on at to for with by from about as is are was were be been am do does did has have had will would can could should may might who whom whose what which when where why how that this these those it its their his her he she they them him there than then if but so not no into during after before any some all both'.split(
    ' ',
  ),
)

/** `word`: folded, not stemmed. */
export const isFunctionWord = (word: string): boolean => FUNCTION_WORDS.has(word)
