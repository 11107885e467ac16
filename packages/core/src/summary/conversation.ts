/** A conversation as summaries read it: who said what, which calls were answered and how. */
import { arrayOf, objectOf, parseJsonObject, stringOf, type JsonObject } from '../json.ts'
import { textOfBlock, textOfJson, type Message, type ToolCallBlock, type ToolResultBlock } from '../messages.ts'
import { createPendingCalls } from '../pending-calls.ts'
import { cleanText } from './bounded-text.ts'
import { isRequest, userAuthoredText } from '../user-words/user-words.ts'

/** A message of the log or of the model's view; what is known of its place in the log. */
export interface ConversationMessage extends Message {
  readonly at?: number | null
  readonly seq?: number
  /** Of a message that is made of several entries. */
  readonly seqs?: readonly number[]
  readonly origin?: 'summary' | 'meta'
}

/** What a call does to which file. `fileOperationsOf` of `file-activity/` is one. */
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

/**
 * What the user wrote in a message; undefined for tool results and for what the agent's program wrote in the user's
 * name.
 */
export const userMessageText = (message: ConversationMessage): string | undefined => {
  const words = userAuthoredText(message)
  const text = words === undefined ? '' : cleanText(words).trim()
  return text === '' ? undefined : text
}

/**
 * What the agent wrote in a message, without its reasoning; undefined for other roles, and for a message without text.
 */
export const agentMessageText = (message: ConversationMessage): string | undefined =>
  message.role === 'assistant' && message.origin === undefined ? joined(textsOf(message)) : undefined

/**
 * The task: the newest user message that asks for something, or the newest at all when none does ("yes", "go on").
 * Undefined when the user wrote nothing.
 */
export const findCurrentTask = (messages: readonly ConversationMessage[]): string | undefined => {
  let newest: string | undefined
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index]
    const text = message === undefined ? undefined : userMessageText(message)
    if (text !== undefined && isRequest(text)) return text
    newest ??= text
  }
  return newest
}

/**
 * The task to keep of two: the newer one, unless only the older one asks for something, or there is no newer; null for
 * none.
 */
export const newerTask = <T extends { readonly text: string }>(older: T | null, newer: T | null): T | null =>
  newer === null || (older !== null && !isRequest(newer.text) && isRequest(older.text)) ? older : newer

/** The question that a tool call puts to the user, of several each on a line; undefined for calls of other tools. */
export const userQuestion = ({ name, input }: ToolCallBlock): string | undefined => {
  if (!QUESTION_TOOLS.has(plainToolName(name).replace(/[^a-z]/g, ''))) return undefined
  const given = callArguments(input)
  const asked = [given.question, given.message, given.prompt, given.text]
    .map(stringOf)
    .find((text) => text !== undefined)
  const several = arrayOf(given.questions).flatMap((item) => stringOf(item) ?? stringOf(objectOf(item).question) ?? [])
  return cleanText(asked ?? (several.length > 0 ? several.join('\n') : textOfJson(input)))
}

const COLLABORATION = '[COLLABORATION]'
/** At the start of a line: a text that only mentions the mark has it within one. */
const COLLABORATION_LINE = /^[\s>#*_-]*\[COLLABORATION\]/m

/** The text from the mark on by which CLIO's agents begin what they settle with the user; undefined without one. */
export const collaborationText = (text: string): string | undefined => {
  const start = COLLABORATION_LINE.exec(text)?.index
  if (start === undefined) return undefined
  const settled = text.slice(text.indexOf(COLLABORATION, start))
  return settled.length > COLLABORATION.length ? settled : undefined
}

/** The text without CLIO's collaboration mark, trimmed, if it begins with one; else as it is. */
export const withoutCollaborationMark = (text: string): string =>
  text.startsWith(COLLABORATION) ? text.slice(COLLABORATION.length).trim() : text

/** Whether a text ends with a question mark, marks of quotation or emphasis behind it left aside. */
export const endsWithQuestion = (text: string): boolean => /[?？]["'”’)\]*_`\s]*$/.test(text.slice(-100))

/**
 * A tool's name in lower case, without the server that offers it (`mcp__files__Read` is `read`). A name without one
 * keeps all its letters.
 */
export const plainToolName = (name: string): string => (name.split(/[.:/]|__/).at(-1) ?? name).toLowerCase()

/** The numbers of the first and the last log entry that a message consists of, both null where not known. */
export const seqRange = ({ seq, seqs }: ConversationMessage): readonly [number | null, number | null] => {
  const all = seqs ?? (seq === undefined ? [] : [seq])
  return [all[0] ?? null, all.at(-1) ?? null]
}

/**
 * The results of a conversation's tool calls, of several for one call the last. Calls without a result are not in it.
 * @param earlier calls before these messages that wait for a result
 */
export const resultsByCall = (
  messages: readonly ConversationMessage[],
  earlier: readonly ToolCallBlock[] = [],
): ReadonlyMap<ToolCallBlock, ToolResultBlock> => {
  const pending = createPendingCalls<ToolCallBlock>({ keepsAnswered: true })
  const results = new Map<ToolCallBlock, ToolResultBlock>()
  for (const call of earlier) pending.add(call.id, call)
  for (const { role, content } of messages) {
    pending.begin(role)
    for (const block of content) {
      if (block.type === 'tool_call') pending.add(block.id, block)
      const call = block.type === 'tool_result' ? pending.answer(block.callId) : undefined
      if (block.type === 'tool_result' && call !== undefined) results.set(call, block)
    }
  }
  return results
}

/** A tool's output as text, its parts on lines of their own, cleaned by {@link cleanText}; images are left out. */
export const resultText = (result: ToolResultBlock): string => cleanText(textOfBlock(result))

const textsOf = ({ content }: Message): readonly string[] =>
  content.flatMap((block) => (block.type === 'text' ? [block.text] : []))

/** The texts cleaned, a blank line between them; undefined where nothing is left. Empty ones are left out. */
const joined = (texts: readonly string[]): string | undefined => {
  const text = texts
    .map((part) => cleanText(part).trim())
    .filter((part) => part !== '')
    .join('\n\n')
  return text === '' ? undefined : text
}

/** A call's input as an object, parsed when the provider gave it as text; empty when it is neither. Never throws. */
export const callArguments = (input: ToolCallBlock['input']): JsonObject =>
  typeof input === 'string' ? parseJsonObject(input) : objectOf(input)
