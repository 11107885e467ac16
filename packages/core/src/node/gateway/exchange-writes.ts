/** The entries that an exchange becomes. */
import { visibleCharacters } from '../../messages.ts'
import { NO_TOKENS, pickTokens, type PriceBook, type TokenUsage } from '../../ports/price-book.ts'
import type { EntryWrite } from '../../ports/session-storage.ts'
import type { RequestFact } from '../../ports/usage-storage.ts'
import { isProgramContent } from '../../user-words/user-words.ts'
import { pricedRequest } from '../../usage/priced-request.ts'
import type { IdentifiedMessage } from './message-ids.ts'
import type { CopiedReply, ReplyError } from './reply-copy.ts'

export interface BillInput {
  readonly reply: CopiedReply
  /** For a reply that has no id of its provider. */
  readonly newId: () => string
  /** The model that was asked for. */
  readonly model: string
  readonly provider: string
  /** ms */
  readonly at: number
  readonly subagent: string | undefined
  readonly priceBook: PriceBook
}

/**
 * The bill of a request, priced; undefined for one that failed before anything of a reply came, with nothing used.
 * Unpriced, with counts of 0, where nobody told what was used. Its id is the provider's of the reply, else a new one;
 * its model the one that answered, else the one that was asked for.
 */
export const billOf = ({ reply, newId, at, subagent, priceBook, ...asked }: BillInput): RequestFact | undefined => {
  const { attempt, usage, responseId, error } = reply
  if (error !== undefined && !attempt.hasBegun && !isAny(usage)) return undefined
  const { latency } = attempt
  const fact: RequestFact = {
    // The same id that an import finds in the agent's transcript.
    callId: responseId ?? `gateway:${newId()}`,
    at,
    model: reply.model ?? asked.model,
    provider: asked.provider,
    ...(subagent === undefined ? {} : { subagent }),
    ...pickTokens(usage ?? NO_TOKENS),
    costNano: null,
    costState: 'unpriced',
    ...(latency === undefined ? {} : { latency }),
  }
  // Where nobody told what was used there is no cost, rather than none to pay.
  return usage === undefined ? fact : pricedRequest(fact, priceBook, at)
}

const isAny = (usage: TokenUsage | undefined): boolean =>
  usage !== undefined && Object.values(pickTokens(usage)).some((tokens) => tokens > 0)

/**
 * Messages of the conversation that the log does not hold yet (`known`, by id), in order; without those that are empty.
 * The user's that a program wrote have the origin `meta`.
 */
export const messageWrites = (
  messages: readonly IdentifiedMessage[],
  known: { has(id: string): boolean },
  at: number,
  subagent: string | undefined,
): readonly EntryWrite[] =>
  messages
    .filter(({ id, content }) => !known.has(id) && content.length > 0)
    .map(({ id, role, content }) => ({
      entry: {
        kind: 'message',
        id,
        at,
        role,
        content,
        ...(subagent === undefined ? {} : { subagent }),
        ...(role === 'user' && isProgramContent(content) ? { origin: 'meta' as const } : {}),
      },
      externalId: id,
    }))

export interface ReplyInput {
  readonly reply: CopiedReply
  readonly bill: RequestFact
  readonly at: number
  readonly subagent: string | undefined
}

/**
 * A whole reply as an entry: one message with the request that it cost. `id` is that of the message and of the write.
 */
export const replyWrite = ({ reply, bill, at, subagent }: ReplyInput, id: string): EntryWrite => ({
  entry: {
    kind: 'message',
    id,
    at,
    role: 'assistant',
    content: reply.attempt.blocks,
    model: bill.model,
    ...(reply.responseId === undefined ? {} : { responseId: reply.responseId }),
    ...(subagent === undefined ? {} : { subagent }),
  },
  externalId: id,
  request: bill,
  visibleCharacters: visibleCharacters(reply.attempt.blocks),
})

/**
 * A reply that broke off, written at `seq`: what can be read of it, out of the model's view, and why. The bill is with the
 * message, or, where nothing can be read, with the notice.
 */
export const brokenReplyWrites = (
  { reply: { attempt, responseId }, bill, at, subagent }: ReplyInput,
  error: ReplyError,
  id: string,
  seq: number,
): readonly EntryWrite[] => {
  const content = attempt.readableBlocks
  const billed = { request: bill, visibleCharacters: attempt.visibleCharacters }
  const notice = { kind: 'notice', at, level: 'warning', text: error.message } as const
  if (content.length === 0) return [{ entry: notice, ...billed }]
  const shared = {
    ...(responseId === undefined ? {} : { responseId }),
    ...(subagent === undefined ? {} : { subagent }),
  }
  return [
    { entry: { kind: 'message', id, at, role: 'assistant', content, model: bill.model, ...shared }, ...billed },
    ...(subagent === undefined
      ? [{ entry: { kind: 'truncation', at, fromSeq: seq, toSeq: seq, reason: error.code } as const }]
      : []),
    { entry: notice },
  ]
}

/**
 * A request whose messages are recorded elsewhere, or can't be read: its bill alone, with an entry that names the model
 * (for a subagent a notice). `visible`: characters of the reply that came; by default 0 for a whole reply.
 */
export const billWrite = (
  { reply, bill, at, subagent }: ReplyInput,
  visible: number = reply.error === undefined ? 0 : reply.attempt.visibleCharacters,
): EntryWrite => ({
  entry:
    subagent === undefined
      ? { kind: 'model', at, model: bill.model, ...(bill.provider === undefined ? {} : { provider: bill.provider }) }
      : { kind: 'notice', at, level: 'info', text: `A request to ${bill.model} (${subagent}).` },
  request: bill,
  visibleCharacters: visible,
})
