/** Has a model summarise a conversation: asks, reads the stream, checks the answer. Nothing is replaced here. */
import { CairnError, messageOf } from '../errors.ts'
import type { ContentBlock, Message } from '../messages.ts'
import { ModelError } from '../ports/language-model.ts'
import type { LanguageModel, ModelEvent, ModelRequest, StopReason, ToolDefinition } from '../ports/language-model.ts'
import type { TokenUsage } from '../ports/price-book.ts'
import { err, ok, type Result } from '../result.ts'
import type { TodoItem } from '../session-log.ts'
import { NOTHING_NEW, acceptSummary, hasNewMessages, type AcceptedSummary, type RefusalCode } from './accept-summary.ts'
import type { ConversationMessage } from './conversation.ts'
import { continuationMessage, extractSummary, summaryPrompt, type ContinuationMessage } from './summary-prompt.ts'

/** The conversation, and how the model is asked. */
export interface SummariseRequest {
  /** The model's name for its provider. */
  readonly model: string
  /** What is to be summarised: valid for the provider, and complete (every call with its result). */
  readonly messages: readonly ConversationMessage[]
  /** What stays after the summary, whole. */
  readonly kept?: readonly Message[]
  /** As in the conversation's own requests, so that the provider's cache still holds the beginning. */
  readonly system?: string
  readonly tools?: readonly ToolDefinition[]
  readonly focusChain?: readonly TodoItem[]
  readonly maxOutputTokens: number
  /** Tokens of messages. */
  readonly estimate: (messages: readonly Message[]) => number
}

/** A summary that the model wrote and that passed the checks. */
export interface WrittenSummary extends AcceptedSummary {
  readonly text: string
  /** Takes the summarised messages' place. */
  readonly message: ContinuationMessage
  readonly usage: TokenUsage
}

/** Why there is no summary; the conversation is unchanged. */
export interface SummaryFailure {
  /** `summary-incomplete`: the reply was cut off. `model-failed`: the provider refused or broke off. */
  readonly code: RefusalCode | 'summary-incomplete' | 'model-failed' | 'aborted'
  /** One sentence for the user. */
  readonly message: string
  /** What was spent, where the provider said it. */
  readonly usage?: TokenUsage
  readonly cause?: unknown
}

/**
 * Asks a model for a summary of `messages` and checks it; without new messages it is not asked. Every failure is a
 * result: refused, cut off, failed by the provider, or aborted, with what was spent where that is known. Never rejects;
 * `signal` ends it at once.
 */
export const summarise = async (
  model: LanguageModel,
  request: SummariseRequest,
  signal?: AbortSignal,
): Promise<Result<WrittenSummary, SummaryFailure>> => {
  if (!hasNewMessages(request.messages)) return err(NOTHING_NEW)
  const answer = await read(model, modelRequest(request, signal), signal)
  if (!answer.ok) return answer
  const { reply, stopReason, usage } = answer.value
  const spent = usage === undefined ? {} : { usage }
  if (usage === undefined || stopReason === 'max-output')
    return err({
      code: 'summary-incomplete',
      message: 'The model did not finish its summary; the conversation was left as it is.',
      ...spent,
    })

  const text = extractSummary(reply)
  const message = continuationMessage(text)
  const kept = request.kept ?? []
  const accepted = acceptSummary(
    { before: [...request.messages, ...kept], after: [message, ...kept], text },
    request.estimate,
  )
  return accepted.ok ? ok({ ...accepted.value, text, message, usage }) : err({ ...accepted.error, ...spent })
}

/** The request for a summary: the conversation with the instruction behind it. */
const modelRequest = (
  { model, messages, system, tools, focusChain, maxOutputTokens }: SummariseRequest,
  signal?: AbortSignal,
): ModelRequest => ({
  model,
  messages: withPrompt(messages, summaryPrompt(focusChain === undefined ? {} : { focusChain })),
  maxOutputTokens,
  ...(system === undefined ? {} : { system }),
  ...(tools === undefined ? {} : { tools }),
  ...(signal === undefined ? {} : { signal }),
})

/**
 * The messages with the prompt at their end. Two messages of the user in a row are not valid everywhere: it joins the
 * last one.
 */
const withPrompt = (messages: readonly ConversationMessage[], prompt: string): readonly Message[] => {
  const plain = messages.map(({ role, content }): Message => ({ role, content }))
  const last = plain.at(-1)
  const block = { type: 'text', text: prompt } as const
  if (last?.role !== 'user') return [...plain, { role: 'user', content: [block] }]
  return [...plain.slice(0, -1), { role: 'user', content: [...last.content, block] }]
}

interface Answer {
  readonly reply: string
  readonly stopReason: StopReason | undefined
  /** Undefined when the stream ended without saying that it was done. */
  readonly usage: TokenUsage | undefined
}

/**
 * The model's reply as a whole, or why there is none; a signal ends the waiting. What a failed attempt gave is left
 * out. Never rejects.
 */
const read = async (
  model: LanguageModel,
  request: ModelRequest,
  signal?: AbortSignal,
): Promise<Result<Answer, SummaryFailure>> => {
  if (signal?.aborted === true) return err(ABORTED)
  let streamed = ''
  let blocks = ''
  let done: Extract<ModelEvent, { type: 'done' }> | undefined
  /**
   * Takes an event: text, whole blocks and the end are kept, a retry makes what came before void, others are passed
   * over.
   */
  const take = (event: ModelEvent): void => {
    if (event.type === 'text') streamed += event.text
    else if (event.type === 'block') blocks += textIn(event.block)
    else if (event.type === 'done') done = event
    else if (event.type === 'retry') {
      // What the failed attempt gave is void.
      streamed = ''
      blocks = ''
    }
  }
  const abort = whenAborted(signal)
  let events: AsyncIterator<ModelEvent> | undefined
  try {
    events = model.stream(request)[Symbol.asyncIterator]()
    for (;;) {
      const next = await Promise.race([events.next(), abort.promise])
      if (next === 'aborted') {
        closeStream(events)
        return err(ABORTED)
      }
      if (next.done === true) break
      take(next.value)
    }
  } catch (thrown) {
    return err(isAborted(signal) ? ABORTED : modelFailed(thrown, done?.usage ?? usageOf(thrown)))
  } finally {
    abort.stop()
  }
  // A provider may give a text block whole after having streamed it.
  return ok({ reply: streamed === '' ? blocks : streamed, stopReason: done?.stopReason, usage: done?.usage })
}

const textIn = (block: ContentBlock): string => (block.type === 'text' ? block.text : '')

/**
 * The failure of a request that threw, with what was used until then where the provider said so. The message is one
 * sentence.
 */
const modelFailed = (thrown: unknown, usage: TokenUsage | undefined): SummaryFailure => {
  const reason = CairnError.is(thrown) ? thrown.message : `The provider failed: ${messageOf(thrown)}`
  return {
    code: 'model-failed',
    message: `${reason.replace(/\.$/, '')}; the conversation was left as it is.`,
    cause: thrown,
    ...(usage === undefined ? {} : { usage }),
  }
}

const usageOf = (thrown: unknown): TokenUsage | undefined => (ModelError.is(thrown) ? thrown.details.usage : undefined)

const ABORTED: SummaryFailure = {
  code: 'aborted',
  message: 'Summarising was stopped; the conversation was left as it is.',
}

/** Asked again after waiting, so it must not be narrowed by what was asked before. */
const isAborted = (signal: AbortSignal | undefined): boolean => signal?.aborted === true

/** Ends a stream without waiting for it: one that hangs would never return. */
const closeStream = (events: AsyncIterator<ModelEvent>): void => {
  events.return?.().catch(() => undefined)
}

/**
 * A promise for the signal's abort; `stop` no longer listens. It never rejects, and never resolves without a signal.
 */
const whenAborted = (signal: AbortSignal | undefined): { readonly promise: Promise<'aborted'>; stop(): void } => {
  let stop = (): void => undefined
  const promise = new Promise<'aborted'>((resolve) => {
    const listener = (): void => resolve('aborted')
    signal?.addEventListener('abort', listener, { once: true })
    stop = () => signal?.removeEventListener('abort', listener)
  })
  return { promise, stop }
}
