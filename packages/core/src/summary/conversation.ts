/** A conversation as summaries read it: who said what, which calls were answered and how. */
import { arrayOf, objectOf, parseJsonObject, stringOf, type JsonObject } from '../json.ts'
import { textOfBlock, textOfJson, type Message, type ToolCallBlock, type ToolResultBlock } from '../messages.ts'
import { cleanText } from './bounded-text.ts'
import { isRequest, wordsOfPerson } from '../user-words/user-words.ts'

/** A message of the log or of the model's view; what is known of its place in the log. */
export interface ConversationMessage extends Message {
  readonly at?: number | null
  readonly seq?: number
  /** Of a message that is made of several entries. */
  readonly seqs?: readonly number[]
  readonly origin?: 'summary' | 'meta'
}

/** What a call does to which file. `fileOperationsOf` of `tracking/` is one. */
export type FileOperationsOf = (
  call: ToolCallBlock,
) => readonly { readonly path: string; readonly operation: 'read' | 'edit' }[]

/** Names of tools that put a question to the user, without separators. */
const QUESTION_TOOLS = new Set([
  'ask',
  'askuser',
  'askquestion',
  'askuserquestion',
  'askfollowupquestion',
  'question',
  'requestuserinput',
  'usercollaboration',
])

/** What the user wrote in a message; nothing for what the agent's program wrote in the user's name, and for tool results. */
export const userTextOf = (message: ConversationMessage): string | undefined => {
  const words = wordsOfPerson(message)
  const text = words === undefined ? '' : cleanText(words).trim()
  return text === '' ? undefined : text
}

/** What the agent wrote in a message, without its reasoning. */
export const agentTextOf = (message: ConversationMessage): string | undefined =>
  message.role === 'assistant' && message.origin === undefined ? joined(textsOf(message)) : undefined

/**
 * The task: the newest message in which a user asks for something, whole; where none does ("yes", "go on"), the newest
 * that a user wrote. Undefined when there is none.
 */
export const newestUserText = (messages: readonly ConversationMessage[]): string | undefined => {
  let newest: string | undefined
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index]
    const text = message === undefined ? undefined : userTextOf(message)
    if (text !== undefined && isRequest(text)) return text
    newest ??= text
  }
  return newest
}

/** Of two tasks the one that holds: the newer, unless only the older one asks for something. */
export const newerTask = <T extends { readonly text: string }>(older: T | null, newer: T | null): T | null =>
  newer === null || (older !== null && !isRequest(newer.text) && isRequest(older.text)) ? older : newer

/** The question that a call puts to the user, if that is what its tool is for. */
export const questionOf = ({ name, input }: ToolCallBlock): string | undefined => {
  if (!QUESTION_TOOLS.has(toolNameOf(name).replace(/[^a-z]/g, ''))) return undefined
  const given = argumentsOf(input)
  const asked = [given.question, given.message, given.prompt, given.text]
    .map(stringOf)
    .find((text) => text !== undefined)
  const several = arrayOf(given.questions).flatMap((item) => stringOf(item) ?? stringOf(objectOf(item).question) ?? [])
  return cleanText(asked ?? (several.length > 0 ? several.join('\n') : textOfJson(input)))
}

const COLLABORATION = '[COLLABORATION]'
/** A text that only speaks of the mark has it within a line. */
const COLLABORATION_LINE = /^[\s>#*_-]*\[COLLABORATION\]/m

/**
 * From the mark on by which CLIO's agents begin what they settle with the user; undefined where a text has none. What
 * follows is a decision, whether it is a question or not.
 */
export const collaborationIn = (text: string): string | undefined => {
  const start = COLLABORATION_LINE.exec(text)?.index
  if (start === undefined) return undefined
  const settled = text.slice(text.indexOf(COLLABORATION, start))
  return settled.length > COLLABORATION.length ? settled : undefined
}

/** Without the mark. */
export const withoutMark = (text: string): string =>
  text.startsWith(COLLABORATION) ? text.slice(COLLABORATION.length).trim() : text

/** Whether a text ends with a question. */
export const endsAsking = (text: string): boolean => /[?？]["'”’)\]*_`\s]*$/.test(text.slice(-100))

/** A tool's own name, without the server that offers it, in small letters. */
export const toolNameOf = (name: string): string => (name.split(/[.:/]|__/).at(-1) ?? name).toLowerCase()

/** First and last place in the log; null where it is not known. */
export const seqsOf = ({ seq, seqs }: ConversationMessage): readonly [number | null, number | null] => {
  const all = seqs ?? (seq === undefined ? [] : [seq])
  return [all[0] ?? null, all.at(-1) ?? null]
}

/** The results of a conversation's calls, by the call's id. */
export const resultsByCall = (messages: readonly ConversationMessage[]): ReadonlyMap<string, ToolResultBlock> =>
  new Map(
    messages.flatMap(({ content }) =>
      content.flatMap((block) => (block.type === 'tool_result' ? [[block.callId, block] as const] : [])),
    ),
  )

/** A tool's output as text. */
export const resultText = (result: ToolResultBlock): string => cleanText(textOfBlock(result))

const textsOf = ({ content }: Message): readonly string[] =>
  content.flatMap((block) => (block.type === 'text' ? [block.text] : []))

const joined = (texts: readonly string[]): string | undefined => {
  const text = texts
    .map((part) => cleanText(part).trim())
    .filter((part) => part !== '')
    .join('\n\n')
  return text === '' ? undefined : text
}

/** A call's input as an object, also where the provider gave it as text; empty where it is none. */
export const argumentsOf = (input: ToolCallBlock['input']): JsonObject =>
  typeof input === 'string' ? parseJsonObject(input) : objectOf(input)
