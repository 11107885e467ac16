/** Questions about what the assistant itself said or did: "What did you recommend?", "the list that you gave me". */

/** Verbs whose past form is not told by "-ed", without those that have one form for both, such as "set". */
const IRREGULAR =
  'said|told|gave|wrote|made|found|showed|chose|did|came|brought|left|built|thought|knew|had|got|sent|ran|saw|taught|drew|began|meant|laid|sought|understood'

/** "did you", "have you": what follows is past. Not "do you", "can you", which ask for something now. */
const PAST_QUESTION = /\b(?:did|had|have) you\b/i
/** "you recommended", "you had told me"; not "you need", "you used to". */
const PAST_STATEMENT = new RegExp(
  `\\byou(?:'d|’d|'ve|’ve| had| have)?(?: (?:just|also|once|earlier|previously|already|first|last|then|originally))? (?!need|used to)(?:[a-z]{2,}ed|${IRREGULAR})\\b`,
  'i',
)
const WORK =
  /\byour (?:(?:first|last|earlier|previous|original|own) )?(?:suggestions?|recommendations?|advice|answers?|repl(?:y|ies)|explanations?|proposals?|plans?|lists?|analys[ei]s|summar(?:y|ies)|reviews?|conclusions?|diagnos[ei]s|estimates?)\b/i

/** Whether a query wants what the assistant said or did earlier, in English: second person and past. */
export const asksOfAssistant = (text: string): boolean =>
  PAST_QUESTION.test(text) || PAST_STATEMENT.test(text) || WORK.test(text)
