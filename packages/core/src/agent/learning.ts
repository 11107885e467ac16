/** Asks the model, at the end of a piece of work, what later sessions should know. */
import type { MessageEntry } from '../session-log.ts'
import type { AgentTool } from './agent-tool.ts'
import type { AgentOptions } from './agent-options.ts'

/** The only tools that the answer may use. */
export const LEARNING_TOOLS: ReadonlySet<string> = new Set(['memory', 'note'])

/** A turn with this many requests also leads to the question, even if it changed nothing. */
const LONG_TURN = 5

const QUESTION = `The work is done; this is a question by the program, not by the user. What was learnt here that a later session of this project could not easily see for itself: a fact about the code, a problem and what solved it, a way that did not work, how things are done here? Keep each with the memory tool (operation "add"): one fact, one whole sentence, with the file and line that shows it. Keep nothing that is in the code's own comments or in the user's rules, nothing that is only true for now, no secret. If there is nothing, answer "Nothing".`

/** The question to the model at the end of a piece of work, sent by the program. */
export const learnQuestion = (): string => QUESTION

const ID_ENDING = ':learn'

/** The id of the question's message, derived from the preceding reply. */
export const learnQuestionId = (replyId: string): string => `${replyId}${ID_ENDING}`

/** Whether a message of a log is the question. */
export const isLearnQuestion = ({ id, origin }: Pick<MessageEntry, 'id' | 'origin'>): boolean =>
  origin === 'meta' && id.endsWith(ID_ENDING)

/**
 * Whether a turn ends with the question: it changed something or took at least `LONG_TURN` requests, and `learns`
 * (default true) and long-term memory are on. Never in an incognito session, or without the tool `memory`.
 */
export const learns = (
  { engine, learns: isWanted = true }: Pick<AgentOptions, 'engine' | 'learns'>,
  tools: ReadonlyMap<string, AgentTool>,
  { hasChanged, turns }: { readonly hasChanged: boolean; readonly turns: number },
): boolean => {
  const { incognito, longTermMemory } = engine.privacy
  return isWanted && longTermMemory && !incognito && tools.has('memory') && (hasChanged || turns >= LONG_TURN)
}
