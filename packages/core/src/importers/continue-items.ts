/**
 * What each item of a session's history in Continue means. Items have neither ids nor times. An item's id is made of its
 * content and of the one before it: so it stays the same however often the file is rewritten, and what follows an
 * edited or summarised message is new.
 */
import { arrayOf, countOf, isJsonObject, objectOf, stringOf, type JsonObject, type JsonValue } from '../json.ts'
import { visibleCharacters, type ContentBlock } from '../messages.ts'
import type { Hasher } from '../ports/hasher.ts'
import type { EntryWrite, SessionFacts } from '../ports/session-storage.ts'
import type { RequestFact } from '../ports/usage-storage.ts'
import type { MessageEntry } from '../session-log.ts'
import { isProgramContent, isRequest, userAuthoredText } from '../user-words/user-words.ts'
import { attachedBlocks, callBlocks, partBlocks, resultBlock } from './continue-content.ts'
import type { FieldsBeside } from './continue-context.ts'
import { NO_ENTRIES, optional, type FileParser, type ParsedLine } from './importer.ts'
import { oddUsage, titleFrom } from './line-values.ts'
import { todoWrites } from './todo-writes.ts'

/**
 * Parses the items of a history into entries of the session that `facts` name. Make one for each file, and give it all
 * items in order from the first: an item's id is made of those before it. What is no message is skipped with a reason.
 */
export const historyItems = (facts: SessionFacts, context: FieldsBeside, hasher: Hasher): FileParser =>
  new HistoryItems(facts, context, hasher)

class HistoryItems implements FileParser {
  readonly #facts: SessionFacts
  readonly #context: FieldsBeside
  readonly #hasher: Hasher
  /** The id of the last item. */
  #last: string
  #isFirst = true
  #isTitled: boolean
  /** The message that made a call, by the call's id. */
  readonly #callers = new Map<string, string>()

  constructor(facts: SessionFacts, context: FieldsBeside, hasher: Hasher) {
    this.#facts = facts
    this.#context = context
    this.#hasher = hasher
    this.#last = facts.externalId
    this.#isTitled = facts.title !== undefined
  }

  /**
   * One message of the history as entries, in order. Only the first has a time, the session's start: the file has no
   * others. A message of an unknown role is the system's, kept whole as a block `other`. What is no message is a skip.
   */
  parse(value: JsonValue): ParsedLine {
    if (!isJsonObject(value) || !isJsonObject(value.message))
      return { entries: NO_ENTRIES, skip: 'not a message of a history' }
    const { message } = value
    const role = stringOf(message.role)
    const id = this.#idOf(role ?? '', message)
    const at = this.#isFirst ? (this.#context.startedAt ?? null) : null
    this.#isFirst = false
    const usage = objectOf(message.usage)
    const item = { value, message, id, at }
    if (role === 'user') return this.#user(item)
    if (role === 'tool') return { session: this.#facts, entries: this.#toolResult(item) }
    if (role === 'assistant' || role === 'thinking')
      return { session: this.#facts, entries: this.#reply(item), ...optional('skip', oddUsageOf(usage)) }
    const system = role === 'system' ? partBlocks(message.content) : [{ type: 'other', value: message } as const]
    return { session: this.#facts, entries: [this.#write({ id, at, role: 'system', content: system })] }
  }

  /** A file is read from its start each time, so nothing of it need be kept. */
  state(): JsonValue {
    return null
  }

  /**
   * The id of the next item: a hash of it and of the id before, so the same for the same item after the same items.
   * Remembers it for the next; call it once for each, in order.
   */
  #idOf(role: string, { content, toolCalls, toolCallId }: JsonObject): string {
    const text = JSON.stringify([
      this.#last,
      role,
      content ?? null,
      callBlocks(toolCalls).map(({ id }) => id),
      toolCallId ?? null,
    ])
    this.#last = this.#hasher.sha256(text).slice(0, 24)
    return this.#last
  }

  /**
   * A user's message, with the summary at it if there is one; the title comes from the first request, or from a
   * greeting until then.
   */
  #user({ value, message, id, at }: Item): ParsedLine {
    const content = [...partBlocks(message.content), ...attachedBlocks(value.contextItems)]
    const origin = isProgramContent(content) ? ('meta' as const) : undefined
    const words = this.#isTitled
      ? undefined
      : userAuthoredText({ role: 'user', content, ...optional('origin', origin) })
    const title = words === undefined ? undefined : titleFrom(words)
    // Greetings give way to the first request.
    if (words !== undefined && title !== undefined) this.#isTitled = isRequest(words)
    return {
      session: title === undefined ? this.#facts : { ...this.#facts, title },
      entries: [
        this.#write({ id, at, role: 'user', content, ...optional('origin', origin) }),
        ...this.#summary(value, id, message.content),
      ],
    }
  }

  /**
   * A result in a message of its own, of role `tool`, where the reply that called for it does not hold it. One without
   * a call's id gets the message's.
   */
  #toolResult({ message, id, at }: Item): readonly EntryWrite[] {
    const callId = stringOf(message.toolCallId) ?? id
    const content = partBlocks(message.content).flatMap((block) =>
      block.type === 'text' || block.type === 'image' || block.type === 'other' ? [block] : [],
    )
    const result = { type: 'tool_result', callId, content } as const
    return [this.#write({ id: this.#resultId(callId, id), at, role: 'tool', content: [result] })]
  }

  /**
   * A reply with its request, todo lists and results; its calls are remembered. A reply that is itself the summary
   * comes behind its compaction, one with a summary of what was before is followed by it.
   */
  #reply({ value, message, id, at }: Item): readonly EntryWrite[] {
    const calls = callBlocks(message.toolCalls)
    for (const call of calls) this.#callers.set(call.id, id)
    const usage = objectOf(message.usage)
    const content = [...thoughtsOf(value, message), ...calls]
    const isSummary = typeof value.conversationSummary === 'string' && value.conversationSummary === message.content
    const request = this.#request(usage, id)
    const write = this.#write({
      id,
      at,
      role: 'assistant',
      content,
      ...optional('model', stringOf(usage.model)),
      ...optional('origin', isSummary ? ('summary' as const) : undefined),
    })
    return [
      ...(isSummary ? [compactionWrite(id)] : []),
      request === undefined ? write : { ...write, request, visibleCharacters: visibleCharacters(content) },
      ...todoWrites(id, at, content),
      ...this.#results(value, id),
      ...(isSummary ? [] : this.#summary(value, id, message.content)),
    ]
  }

  /**
   * The results that a reply's item holds, as messages of role `tool`, each call's once. A call that is not done has
   * none.
   */
  #results({ toolCallStates }: JsonObject, id: string): readonly EntryWrite[] {
    const ids = new Set<string>()
    return arrayOf(toolCallStates).flatMap((state) => {
      const result = resultBlock(objectOf(state))
      if (result === undefined || ids.has(result.callId)) return []
      ids.add(result.callId)
      return [this.#write({ id: this.#resultId(result.callId, id), at: null, role: 'tool', content: [result] })]
    })
  }

  #resultId(callId: string, id: string): string {
    return `${this.#callers.get(callId) ?? id}.${callId}.result`
  }

  /**
   * The compaction and summary that an item holds, as the editor keeps a summary of all before a message with that
   * message. Empty where it has none, or where the message itself is the summary.
   */
  #summary({ conversationSummary }: JsonObject, id: string, content: JsonValue | undefined): readonly EntryWrite[] {
    const text = stringOf(conversationSummary)
    if (text === undefined || text === content) return []
    const summary = {
      id: `${id}.summary`,
      at: null,
      role: 'user',
      content: [{ type: 'text', text }],
      origin: 'summary',
    } as const
    return [compactionWrite(id), this.#write(summary)]
  }

  #write(message: Omit<MessageEntry, 'kind' | 'seq'>): EntryWrite {
    return { entry: { kind: 'message', ...message, ...optional('mode', this.#context.mode) }, externalId: message.id }
  }

  /** The request of a reply; undefined if it has no tokens. Left unpriced, as the recorded cost is rounded to cents. */
  #request(usage: JsonObject, id: string): RequestFact | undefined {
    const tokens = tokensOf(usage)
    if (tokens.inputTokens + tokens.cacheReadTokens + tokens.cacheWrite5mTokens + tokens.outputTokens === 0)
      return undefined
    return {
      callId: id,
      at: null,
      model: stringOf(usage.model) ?? 'unknown',
      ...tokens,
      ...optional('mode', this.#context.mode),
      // What is recorded is rounded to whole cents, and takes cached input for uncached.
      costNano: null,
      costState: 'unpriced',
    }
  }
}

interface Item {
  readonly value: JsonObject
  readonly message: JsonObject
  readonly id: string
  readonly at: number | null
}

/** The blocks of a message, its reasoning first. A message of the role `thinking` is all reasoning. */
const thoughtsOf = (value: JsonObject, message: JsonObject): readonly ContentBlock[] => {
  const parts = partBlocks(message.content)
  if (message.role === 'thinking')
    return parts.map((block) => (block.type === 'text' ? { type: 'thinking', text: block.text } : block))
  const reasoning = stringOf(objectOf(value.reasoning).text)
  return reasoning === undefined ? parts : [{ type: 'thinking', text: reasoning }, ...parts]
}

/** The compaction that stands before a summary; what triggered it is not known. */
const compactionWrite = (id: string): EntryWrite => ({
  entry: { kind: 'compaction', at: null, trigger: 'unknown' },
  externalId: `${id}.compaction`,
})

/** The counts of a usage, unchecked. The command line has the names of OpenAI's API, the editor its own. */
const countsOf = (usage: JsonObject) => {
  const details = objectOf(usage.prompt_tokens_details ?? usage.promptTokensDetails)
  return {
    prompt: usage.prompt_tokens ?? usage.promptTokens,
    output: usage.completion_tokens ?? usage.completionTokens,
    reasoning: objectOf(usage.completion_tokens_details).reasoning_tokens,
    read: details.cache_read_tokens ?? details.cached_tokens ?? details.cachedTokens,
    written: details.cache_write_tokens ?? details.cacheWriteTokens,
  }
}

/** The token classes of a usage; of some providers the cache is part of the prompt. What is no count is 0. */
const tokensOf = (usage: JsonObject) => {
  const { prompt, output, reasoning, read, written } = countsOf(usage)
  const [all, cached, stored] = [countOf(prompt), countOf(read), countOf(written)]
  // Anthropic's counts are handed on as they are: there the cache is not part of the prompt.
  const isApart = cached + stored > all || (written !== undefined && /claude/i.test(stringOf(usage.model) ?? ''))
  const thought = countOf(reasoning)
  return {
    inputTokens: isApart ? all : all - cached - stored,
    cacheReadTokens: cached,
    cacheWrite5mTokens: stored,
    cacheWrite1hTokens: 0,
    outputTokens: countOf(output),
    ...optional('reasoningTokens', thought > 0 ? thought : undefined),
  }
}

const oddUsageOf = (usage: JsonObject): string | undefined => oddUsage(Object.values(countsOf(usage)))
