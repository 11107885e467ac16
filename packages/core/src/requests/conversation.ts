/** A session as it stands: its log in a live context, and what is known of its newest request. */
import { ratioOfSession } from '../context/learned-ratio.ts'
import { policyOf } from '../context/policies/registry.ts'
import type { Policy } from '../context/policy.ts'
import { createContext, type Context } from '../context/create-context.ts'
import { isThinking } from '../context/thinking.ts'
import { allInput, sessionModel, windowFor } from '../context/session-model.ts'
import type { ContentBlock } from '../messages.ts'
import type { ModelFacts } from '../models/model-facts.ts'
import type { TokenUsage } from '../ports/price-book.ts'
import type { SessionFacts } from '../ports/session-storage.ts'
import type { Store } from '../ports/store.ts'
import type { LogEntry, ModelEntry } from '../session-log.ts'
import { isOwnReply } from './reply-writes.ts'
import type { RequestSettings } from './send-input.ts'
import { allInputTokens } from '../usage/totals.ts'

export interface Conversation {
  readonly session: SessionFacts
  readonly context: Context
  readonly policy: Policy
  readonly facts: ModelFacts
  /** Characters per token that estimates are made with. */
  readonly charsPerToken: number
  /** The window without one that is given, tokens. */
  readonly window: number
  /** The newest model that the log names as chosen. */
  readonly chosen: Pick<ModelEntry, 'model' | 'provider' | 'mode'> | undefined
  /** Input and output of the newest request as the provider counted them, tokens; undefined before the first. */
  readonly lastUsed: number | undefined
  /** Takes entries that were written. */
  step(entries: readonly LogEntry[]): void
  /** Takes note that a request was answered, with what it used: the next decision counts from it. */
  answered(usage: TokenUsage): void
}

type Parts = Pick<Store, 'sessions' | 'usage' | 'state'>

/**
 * Reads a session's log and requests, and learns its characters per token, if need be from another session. Policy (a
 * name or an object; default `cache-aware`), preset and model are the caller's, not the store's. Reasoning that no
 * request from here brought is taken without its signature. A session that is not stored gives an empty conversation;
 * nothing is written. Rejects as the store does, and with `usage` for an unknown name of a policy, or preset with one.
 */
export const openConversation = async (
  store: Parts,
  session: SessionFacts,
  facts: ModelFacts,
  { policy: given = 'cache-aware', preset, model }: Pick<RequestSettings, 'policy' | 'preset' | 'model'>,
): Promise<Conversation> => {
  const [entries, requests] = await Promise.all([store.sessions.read(session.id), store.usage.requests(session.id)])
  const { charsPerToken } = await ratioOfSession(store, { sessionId: session.id, entries, requests, facts })
  const { newest, model: last, largestInput } = sessionModel(entries, requests)
  const policy = typeof given === 'string' ? policyOf(given, preset) : given
  const context = createContext(policy, charsPerToken)
  let chosen: Conversation['chosen']
  let lastUsed = newest === undefined ? undefined : allInput(newest) + newest.outputTokens
  const step = (added: readonly LogEntry[]): void => {
    context.step(added.map(withoutForeignSeals))
    chosen = added.findLast((entry) => entry.kind === 'model') ?? chosen
  }
  step(entries)
  return {
    session,
    context,
    policy,
    facts,
    charsPerToken,
    window: windowFor(facts, undefined, last === model ? largestInput : 0).window,
    get chosen() {
      return chosen
    },
    get lastUsed() {
      return lastUsed
    },
    step,
    answered: (usage) => {
      lastUsed = allInputTokens(usage) + usage.outputTokens
    },
  }
}

/**
 * An entry with reasoning that came of no request from here, without its signatures: it was made for another account, with
 * another prompt, perhaps through another host, and whether this provider takes it nobody can tell. The log keeps it.
 */
const withoutForeignSeals = (entry: LogEntry): LogEntry => {
  if (entry.kind !== 'message' || isOwnReply(entry.responseId) || !entry.content.some(isThinking)) return entry
  return { ...entry, content: entry.content.map(withoutSeal) }
}

/** Reasoning without its signature, any other block as it is. */
const withoutSeal = (block: ContentBlock): ContentBlock => {
  if (!isThinking(block)) return block
  return { type: 'thinking', text: block.type === 'thinking' ? block.text : '' }
}

/** Ids of the tool calls of the newest reply that have no result yet; empty when none waits. */
export const openCalls = ({ context }: Pick<Conversation, 'context'>): ReadonlySet<string> => {
  const messages = context.view.history.messages()
  const reply = messages.findLastIndex(({ role }) => role === 'assistant')
  const open = new Set<string>()
  for (const { content } of messages.slice(Math.max(0, reply)))
    for (const block of content) {
      if (block.type === 'tool_call') open.add(block.id)
      if (block.type === 'tool_result') open.delete(block.callId)
    }
  return open
}
