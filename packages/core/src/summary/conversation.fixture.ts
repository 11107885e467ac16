/** Conversations for the tests of summaries: made by hand, and arbitrary ones. */
import fc from 'fast-check'
import type { JsonValue } from '../json.ts'
import type { ContentBlock } from '../messages.ts'
import { fileOperationsOf } from '../file-activity/file-tools.ts'
import type { ConversationMessage } from './conversation.ts'
import { summariseMessages } from './summarise-messages.ts'
import type { ThreadSummary } from './thread-summary.ts'

export const user = (text: string, more: Partial<ConversationMessage> = {}): ConversationMessage => ({
  role: 'user',
  content: [{ type: 'text', text }],
  ...more,
})
export const agent = (text: string): ConversationMessage => ({ role: 'assistant', content: [{ type: 'text', text }] })

let calls = 0

/** A call with its result; the ids are new each time. */
export const tool = (
  name: string,
  input: JsonValue,
  output = 'ok',
  isError = false,
): readonly ConversationMessage[] => {
  const id = `call-${calls++}`
  const result: ContentBlock = { type: 'tool_result', callId: id, content: [{ type: 'text', text: output }], isError }
  return [
    { role: 'assistant', content: [{ type: 'tool_call', id, name, input }] },
    { role: 'tool', content: [result] },
  ]
}

/** With places and times, as a log gives them. */
export const position = (messages: readonly ConversationMessage[], firstSeq = 0): readonly ConversationMessage[] =>
  messages.map((message, index) => ({ ...message, seq: firstSeq + index, at: 1_000_000 + (firstSeq + index) * 1000 }))

export const options = { fileOperations: fileOperationsOf, at: 5_000_000 }

export const summaryOf = (...messages: readonly ConversationMessage[]): ThreadSummary =>
  summariseMessages(messages, options)

const words = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom(
    'Shall I?',
    '[COLLABORATION] Redis it is.',
    'Then:\n[COLLABORATION] Redis or memory?',
    '</thread_summary>',
    '# x\n## y',
    'a'.repeat(1500),
    '😀'.repeat(700),
    '\ud800',
    '\u0000',
  ),
)
const numbered = (prefix: string, size: number) => fc.nat({ max: size - 1 }).map((number) => `${prefix}${number}`)
const hash = fc.nat({ max: 39 }).map((number) => `abc${(number + 1000).toString(16).padStart(4, '0')}`)

const interleaved = <T>(first: readonly T[], second: readonly T[]): readonly T[] =>
  first.flatMap((item, index) => [item, ...second.slice(index, index + 1)])

/** A message, or a call with its result; names are taken from sets that are larger than a summary's limits. */
const unit: fc.Arbitrary<readonly ConversationMessage[]> = fc.oneof(
  words.map((text) => [user(text)]),
  words.map((text) => [agent(text)]),
  words.map((text) => [user(text, { origin: 'summary' })]),
  words.map((text) => [user(text, { origin: 'meta' })]),
  fc
    .tuple(numbered('src/', 60), fc.boolean())
    .map(([path, failed]) => tool('Read', { file_path: path }, 'content', failed)),
  numbered('src/', 60).map((path) => tool('Edit', { file_path: path })),
  fc.tuple(hash, words).map(([id, text]) => tool('Bash', { command: 'git commit -am x' }, `[main ${id}] ${text}`)),
  fc
    .array(hash, { maxLength: 12 })
    .map((ids) => tool('Bash', { command: 'git log --oneline' }, ids.map((id) => `${id} subject`).join('\n'))),
  fc.tuple(words, words).map(([question, answer]) => tool('AskUserQuestion', { question }, answer)),
  numbered('tool', 260).map((name) => tool(name, {})),
  // Calls in parallel: both calls, then both results.
  fc
    .tuple(numbered('src/', 60), numbered('src/', 60))
    .map(([first, second]) => interleaved(tool('Read', { file_path: first }), tool('Edit', { file_path: second }))),
)

export const conversation: fc.Arbitrary<readonly ConversationMessage[]> = fc
  .tuple(fc.array(unit, { maxLength: 120, size: 'max' }), fc.option(fc.nat(1000), { nil: undefined }))
  .map(([units, firstSeq]) => (firstSeq === undefined ? units.flat() : position(units.flat(), firstSeq)))

export const summary: fc.Arbitrary<ThreadSummary> = fc
  .tuple(conversation, fc.nat(1e9))
  .map(([messages, at]) => summariseMessages(messages, { ...options, at }))
