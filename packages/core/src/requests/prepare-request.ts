/** What of a session goes to the model: the messages under its policy, breakpoints, limits. */
import type { ContextPrices, Situation } from '../context/policy.ts'
import type { Prepared } from '../context/create-context.ts'
import { DEFAULT_PRICES, situationOf } from '../context/request.ts'
import { contextBudget } from '../models/context-budget.ts'
import type { CacheBreakpoint, ModelRequest } from '../ports/language-model.ts'
import type { Conversation } from './conversation.ts'
import type { RequestSettings } from './send-input.ts'

/** What the moment of a request adds to its settings. */
export interface RequestMoment {
  /** ms */
  readonly now: number
  /** The model's prices, where they are known. */
  readonly prices: ContextPrices | undefined
  /** The same for all requests of the session. */
  readonly cacheKey: string
  /** How often the provider has refused this request as too long, and the estimated tokens of the last refused one. */
  readonly refusals: number
  readonly refusedTokens?: number
  /** What the user has the work look at. */
  readonly focus?: string | undefined
  readonly signal?: AbortSignal | undefined
}

export interface PreparedRequest {
  readonly request: ModelRequest
  readonly prepared: Prepared
  /** The most tokens that the messages may take. */
  readonly availableTokens: number
}

/**
 * Decides on the next request, and applies to the conversation what was decided. Nothing is sent or written. Under a
 * policy that does not keep the window, messages that don't fit are given all the same.
 * @throws ContextOverflowError when it can't be made to fit, under a policy that keeps the window.
 * @throws CairnError `invalid-input` when system prompt and tools leave no room in the window.
 */
export const prepareRequest = (
  conversation: Conversation,
  settings: RequestSettings,
  moment: RequestMoment,
): PreparedRequest => {
  const { context, policy } = conversation
  const situation = situationFor(conversation, settings, moment)
  const prepared = context.prepare(situation)
  if (prepared.overflow !== undefined && policy.keepsWindow) throw prepared.overflow
  return {
    prepared,
    availableTokens: situation.availableTokens,
    request: {
      model: settings.model,
      messages: prepared.messages,
      maxOutputTokens: longestReply(settings, conversation, situation),
      cacheBreakpoints: breakpointsOf(prepared, settings),
      cacheKey: moment.cacheKey,
      ...optionsOf(settings),
      ...(moment.signal === undefined ? {} : { signal: moment.signal }),
    },
  }
}

/**
 * What the policy decides by. What the last request used is an estimate if it is not known; 0 before the first. The
 * window of the settings wins over the conversation's. Default prices where the model's are not known.
 */
const situationFor = (
  { context: { view }, facts, charsPerToken, lastUsed, window }: Conversation,
  settings: RequestSettings,
  { now, prices = DEFAULT_PRICES, refusals, refusedTokens, focus }: RequestMoment,
): Situation => {
  const { system, tools, maxOutputTokens, languageModel } = settings
  const input = {
    charsPerToken,
    window: settings.window ?? window,
    provider: languageModel.provider,
    prices,
    refusals,
    ...(refusedTokens === undefined ? {} : { refusedTokens }),
    ...(focus === undefined ? {} : { focus }),
    ...(system === undefined ? {} : { system }),
    ...(tools === undefined ? {} : { tools }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
  }
  const situation = situationOf(input, facts, now)
  const estimated = view.requests === 0 ? 0 : situation.prefix + view.tokens()
  return { ...situation, lastUsed: lastUsed ?? estimated }
}

/**
 * The tokens that are kept free for the reply, at least 1: a provider may refuse a request that asks for more. The
 * settings' maximum wins over the model's.
 */
const longestReply = (
  { maxOutputTokens }: RequestSettings,
  { facts }: Conversation,
  { window, prefix }: Situation,
): number =>
  Math.max(
    1,
    contextBudget({ window, systemTokens: prefix, maxOutputTokens: maxOutputTokens ?? facts.maxOutputTokens }).reply,
  )

/** The breakpoints of the policy behind the one after system prompt and tools, if there are any. */
const breakpointsOf = (
  { cacheBreakpoints }: Prepared,
  { system = '', tools = [] }: RequestSettings,
): readonly CacheBreakpoint[] => [
  ...(system === '' && tools.length === 0 ? [] : [{ after: 'system' } as const]),
  ...cacheBreakpoints.map((after) => ({ after })),
]

/** The settings that go into the request as they are; those that are absent stay so. */
const optionsOf = ({
  system,
  tools,
  toolChoice,
  effort,
  outputSchema,
}: RequestSettings): Pick<ModelRequest, 'system' | 'tools' | 'toolChoice' | 'effort' | 'outputSchema'> => ({
  ...(system === undefined ? {} : { system }),
  ...(tools === undefined ? {} : { tools }),
  ...(toolChoice === undefined ? {} : { toolChoice }),
  ...(effort === undefined ? {} : { effort }),
  ...(outputSchema === undefined ? {} : { outputSchema }),
})
