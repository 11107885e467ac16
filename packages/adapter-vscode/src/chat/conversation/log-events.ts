/** A session's log as the events of a chat, without what was rewound and what broke off. */
import { liveEntries, objectOf, reasonText, textOfBlock } from '@cairn/core'
import type { ContentBlock, JsonObject, JsonValue, LogEntry, MessageEntry, RewriteEntry } from '@cairn/core'
import { splitRules } from '@cairn/core/agent'
import { textWithoutMentions } from '@cairn/core/sources/mentions'
import type { ChatEvent, RemovalLine, ToolProgress } from './chat-state.ts'

/**
 * Returns the events of a whole log, as if they had come from an agent, without what was rewound and without replies
 * that broke off. If the log ends within a turn, the last event offers to continue.
 */
export const logEvents = (log: readonly LogEntry[]): readonly ChatEvent[] => {
  const broken = brokenReplies(log)
  const entries = withoutOwnCheckpoints(liveEntries(log).filter(({ seq }) => !broken.has(seq)))
  const bySeq = new Map(entries.map((entry) => [entry.seq, entry]))
  return [...entries.flatMap((entry) => entryEvents(entry, bySeq)), { type: 'ended' }, ...openEnd(entries)]
}

/** Returns the seqs of replies that broke off: each is truncated alone, by the entry after it. Empty if none did. */
const brokenReplies = (log: readonly LogEntry[]): ReadonlySet<number> =>
  new Set(
    log.flatMap((entry) =>
      entry.kind === 'truncation' && entry.fromSeq === entry.toSeq && entry.seq === entry.toSeq + 1
        ? [entry.fromSeq]
        : [],
    ),
  )

/**
 * Returns the entries without the checkpoints that the user made between turns. The agent's own, which stay, come after
 * a reply of the main conversation that calls tools.
 */
const withoutOwnCheckpoints = (entries: readonly LogEntry[]): readonly LogEntry[] => {
  let hasCalls = false
  return entries.filter((entry) => {
    if (entry.kind === 'message' && entry.role === 'assistant' && entry.subagent === undefined)
      hasCalls = entry.content.some(({ type }) => type === 'tool_call')
    return entry.kind !== 'checkpoint' || hasCalls
  })
}

/**
 * Returns the events of one entry; empty for an entry of a subagent and for kinds that the chat does not show. `bySeq`:
 * the log's entries.
 */
const entryEvents = (entry: LogEntry, bySeq: ReadonlyMap<number, LogEntry>): readonly ChatEvent[] => {
  if (entry.kind === 'message') return entry.subagent === undefined ? messageEvents(entry) : []
  if (entry.kind === 'rewrite') return rewriteEvents(entry, bySeq)
  if (entry.kind === 'checkpoint') return [{ type: 'checkpoint', checkpointId: entry.checkpointId }]
  if (entry.kind === 'notice') return [{ type: 'notice', level: entry.level, text: entry.text }]
  return []
}

/**
 * Returns the events of a message: a reply, the user's message, or results of tools. Results of tools come before the
 * user's text; what the program put in is not shown.
 */
const messageEvents = ({ role, content, origin }: MessageEntry): readonly ChatEvent[] => {
  if (role === 'assistant') return [...content.flatMap(replyEvents)]
  const results = content.flatMap(resultEvents)
  if (role !== 'user' || origin === 'meta' || results.length === content.length) return results
  if (origin === 'summary')
    return [{ type: 'notice', level: 'info', text: 'What was said before was summarised for the model.' }]
  const own = content.filter(({ type }) => type !== 'tool_result')
  const attachments = own.flatMap((block) => (block.type === 'file' ? [block.path] : []))
  return [...results, { type: 'asked', text: textWithoutMentions(withoutChanges(own)), attachments }]
}

/** What an agent puts before the user's words: that files were changed meanwhile. */
const CHANGES = /^<file_changes>/

/**
 * Returns a user's message without the notice of changed files that the agent puts before it; a message that is nothing
 * but such a text is returned unchanged, as the user's own.
 */
export const withoutChanges = (content: readonly ContentBlock[]): readonly ContentBlock[] => {
  const [first, ...rest] = content
  return first?.type === 'text' && CHANGES.test(first.text) && rest.length > 0 ? rest : content
}

/** Returns the events of one block of a reply; empty for blocks that are neither text, reasoning nor a call. */
const replyEvents = (block: ContentBlock): readonly ChatEvent[] => {
  if (block.type === 'text' || block.type === 'thinking')
    return [{ type: block.type, text: block.text }, { type: 'block-ended' }]
  if (block.type !== 'tool_call') return []
  const { id, name, input } = block
  return [{ type: 'tool-started', callId: id, tool: name, title: callTitle(name, input) }]
}

/** As the agent writes them where a call was not run, or nobody knows whether it was. */
const SKIPPED = /^(?:Not run\b|There is no tool called )/
const UNKNOWN = /^Interrupted, effect unknown/

/**
 * Returns the event that ends the call of a tool's result, with its text (images only named), how it ended, and the
 * rules files delivered with it; empty for any other block.
 */
const resultEvents = (block: ContentBlock): readonly ChatEvent[] => {
  if (block.type !== 'tool_result') return []
  const { content, rules } = splitRules(block)
  const text = content.map((part) => (part.type === 'image' ? `[image: ${part.mediaType}]` : textOfBlock(part)))
  const whole = text.join('\n')
  const told = rules.length === 0 ? {} : { rules }
  const progress = progressOf(whole, block.isError)
  return [{ type: 'tool-finished', callId: block.callId, text: whole, progress, ...told }]
}

/**
 * Returns how a call ended, from its result's text and whether it is an error. An error is `failed` unless its text
 * says that it was skipped, or that nobody knows.
 */
const progressOf = (
  text: string,
  isError: boolean | undefined,
): Extract<ToolProgress, 'done' | 'failed' | 'skipped' | 'unknown'> => {
  if (isError !== true) return 'done'
  if (SKIPPED.test(text)) return 'skipped'
  return UNKNOWN.test(text) ? 'unknown' : 'failed'
}

/** What tools call their main argument; the first of them that a call has. */
const MAIN_ARGUMENTS = ['path', 'file_path', 'command', 'pattern', 'query', 'text', 'question', 'key']
const LONGEST_ARGUMENT = 120

/**
 * Returns a call on one line: the tool's name and its main argument, cut, such as `read_file src/a.ts`; the name alone
 * if it has no such argument. Not made safe to show.
 */
export const callTitle = (name: string, input: JsonValue): string => {
  const values = argumentsOf(input)
  const main = MAIN_ARGUMENTS.map((argument) => values[argument]).find((value) => typeof value === 'string')
  if (typeof main !== 'string') return name
  const line = main.replace(/\s+/g, ' ').trim()
  return `${name} ${line.length > LONGEST_ARGUMENT ? `${line.slice(0, LONGEST_ARGUMENT)}…` : line}`
}

/** Returns a call's arguments, parsed if they are a text; an empty object if they are not a JSON object. */
const argumentsOf = (input: JsonValue): JsonObject => {
  if (typeof input !== 'string') return objectOf(input)
  try {
    return objectOf(JSON.parse(input) as JsonValue)
  } catch {
    return {}
  }
}

/**
 * Returns one event that lists what a rewrite removed or shortened; empty if it changed nothing. `bySeq`: the log's
 * entries, for the names of blocks.
 */
const rewriteEvents = (
  { changes, tokensBefore, tokensAfter }: RewriteEntry,
  bySeq: ReadonlyMap<number, LogEntry>,
): readonly ChatEvent[] => {
  const removals = changes.map(({ seq, block, why, text }): RemovalLine => ({
    name: blockName(bySeq.get(seq), block),
    what: text === undefined ? 'removed' : 'shortened',
    why: reasonText(why),
  }))
  const savedTokens = Math.max(0, (tokensBefore ?? 0) - (tokensAfter ?? 0))
  return removals.length === 0 ? [] : [{ type: 'removed', removals, savedTokens }]
}

/** The name of each type of block, as the chat shows it. */
const NAMES: Readonly<Record<ContentBlock['type'], string>> = {
  text: 'text',
  thinking: 'reasoning',
  tool_call: 'tool call',
  tool_result: 'tool result',
  image: 'image',
  file: 'file',
  other: 'block',
}

/** Returns a block's name for a list: its path, its call, or its kind; `block` if it is not in the log. */
const blockName = (entry: LogEntry | undefined, index: number): string => {
  const block = entry?.kind === 'message' ? entry.content[index] : undefined
  if (block === undefined) return 'block'
  if (block.type === 'file') return block.path
  return block.type === 'tool_call' ? callTitle(block.name, block.input) : NAMES[block.type]
}

/**
 * Returns the notice that offers to continue a log that ends within a turn; empty for one that ends with a whole reply.
 * Subagents' messages do not count.
 */
const openEnd = (entries: readonly LogEntry[]): readonly ChatEvent[] => {
  const last = entries.findLast((entry) => entry.kind === 'message' && entry.subagent === undefined)
  if (last?.kind !== 'message') return []
  if (last.role === 'assistant' && last.content.every(({ type }) => type !== 'tool_call')) return []
  return [
    {
      type: 'notice',
      level: 'warning',
      text: 'The last turn was interrupted. Go on with it, or say something else.',
      action: 'resume',
    },
  ]
}
