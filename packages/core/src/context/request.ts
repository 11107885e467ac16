/**
 * One request at a time, for agents that keep their own conversation: everything in, the messages to send
 * and the decisions to keep out. An agent that goes on for long is better served by a live context
 * (`createContext`), which does not read the whole conversation again.
 */
import { CairnError, messageOf } from '../errors.ts'
import { shownValue } from '../input.ts'
import { isJsonObject } from '../json.ts'
import { contextBudget } from '../models/context-budget.ts'
import { modelFacts, type ModelFacts } from '../models/model-facts.ts'
import type { ToolDefinition } from '../ports/language-model.ts'
import type { LogEntry } from '../session-log.ts'
import { entriesOf } from './messages/to-entries.ts'
import type { ContextPrices, Policy, Situation } from './policy.ts'
import { policyOf, type PolicyName } from './policies/registry.ts'
import type { CacheAwarePreset } from './policies/cache-aware/settings.ts'
import { prefixCharacters } from './prefix-characters.ts'
import { createContext, type Prepared } from './create-context.ts'

/** What is known of the model and the moment; everything has a default. */
export interface RequestSetting {
  /** Tells window, longest reply, characters per token and cache; default a model of 128,000 tokens. */
  readonly model?: string
  /** As the agent names it, e.g. `bedrock`: reasoning that another provider signed is not sent. */
  readonly provider?: string
  /** Facts of the model, where a catalog has them; `model` is not looked up then. */
  readonly facts?: ModelFacts
  /** Tokens of input and reply together; before the model's. */
  readonly window?: number
  /** The longest reply to leave room for, tokens; before the model's. */
  readonly maxOutputTokens?: number
  /** A text, or blocks of text as Anthropic takes them. */
  readonly system?: string | readonly object[]
  /** Only measured: in Cairn's form or in that of an API. */
  readonly tools?: readonly (ToolDefinition | object)[]
  /** Tokens of system prompt and tools, where they are counted already. */
  readonly prefixTokens?: number
  readonly charsPerToken?: number
  /** USD per million tokens; default Anthropic's for a Sonnet (3 / 15 / 3.75 / 0.30). */
  readonly prices?: ContextPrices
  readonly cacheLifetimeSeconds?: number
  /** Time of the request, ms; default the newest entry's. */
  readonly now?: number
  /** Tokens of the last request with its reply, as the provider counted. */
  readonly lastUsed?: number
  /** How often the provider has refused this request as too long, and how many tokens it was estimated at. */
  readonly refusals?: number
  readonly refusedTokens?: number
  /** What the user has the work look at, a path or a text: it stands in the request whatever the policy does. */
  readonly focus?: string
}

export interface PrepareInput extends RequestSetting {
  /** A session's log; decisions of earlier requests belong to it. */
  readonly entries?: readonly LogEntry[]
  /** Or a conversation without a log, in Cairn's form or in that of an API or a transcript (docs/library.md). */
  readonly messages?: readonly object[]
  /** Default `cache-aware`. */
  readonly policy?: PolicyName | Policy
  readonly preset?: CacheAwarePreset
}

/** The prices when none are given: Claude Sonnet's, USD per million tokens. */
export const DEFAULT_PRICES: ContextPrices = { input: 3, output: 15, write: 3.75, read: 0.3 }
const DEFAULT_LIFETIME_SECONDS = 300

/**
 * Prepares the next request of a conversation from its log or its plain messages: the messages to send, and in
 * `entriesToAppend` what was decided, for the caller to append to the log. Nothing is written.
 * @throws ContextOverflowError when it can't be made to fit (not under the policy `none`, which only says so).
 * @throws CairnError `invalid-input` for messages or numbers that can't be used, `usage` for unknown names.
 */
export const prepare = (input: PrepareInput): Prepared => {
  try {
    return prepareChecked(input)
  } catch (error) {
    if (CairnError.is(error)) throw error
    // Values that are not JSON (a cycle, a BigInt, a function) are only found when they are measured.
    throw new CairnError('invalid-input', `prepare was given something that it can't read: ${messageOf(error)}.`, {
      cause: error,
    })
  }
}

/**
 * Prepares a request from a log or plain messages. Without `now`, it is the time of the newest entry.
 * @throws CairnError `invalid-input` for wrong input or nothing to send, and the overflow if the policy keeps the
 * window but could not
 */
const prepareChecked = (input: PrepareInput): Prepared => {
  assertInput(input)
  const { entries, messages, policy = 'cache-aware', preset } = input
  const log = entries ?? entriesOf(messages ?? [], input.now ?? null)
  const chosen = typeof policy === 'string' ? policyOf(policy, preset) : policy
  const facts = factsFor(input)
  const context = createContext(chosen, input.charsPerToken ?? facts.charsPerToken)
  context.step(log)
  const prepared = context.prepare(situationOf(input, facts, input.now ?? newestTime(log)))
  if (prepared.messages.length === 0)
    throw new CairnError('invalid-input', 'There is nothing to send: no message has any content.')
  if (prepared.overflow !== undefined && chosen.keepsWindow) throw prepared.overflow
  return prepared
}

/**
 * Refuses input that the types forbid, for callers in plain JavaScript. @throws CairnError `invalid-input`, also unless
 * exactly one of `entries` and `messages` is given
 */
const assertInput = (input: PrepareInput): void => {
  const given: unknown = input
  if (typeof given !== 'object' || given === null)
    throw new CairnError('invalid-input', 'prepare needs an object with messages or the entries of a log.')
  if ((input.entries === undefined) === (input.messages === undefined))
    throw new CairnError('invalid-input', 'prepare needs either the entries of a log or messages.')
  const model: unknown = input.model ?? ''
  if (typeof model !== 'string')
    throw new CairnError('invalid-input', `model must be a model's name, not ${typeof model}.`)
  assertNumbers(input)
  if (input.entries !== undefined) assertEntries(input.entries)
}

/** Refuses entries that are no log's. @throws CairnError `invalid-input` naming the first bad one by its index */
const assertEntries = (given: unknown): void => {
  if (!Array.isArray(given))
    throw new CairnError('invalid-input', `entries must be an array of a log's entries, not ${shownValue(given)}.`)
  const bad = given.findIndex(
    (entry: unknown) => !isJsonObject(entry) || typeof entry.kind !== 'string' || !Number.isInteger(entry.seq),
  )
  if (bad !== -1)
    throw new CairnError(
      'invalid-input',
      `entries must hold entries of a log, each with a kind and its seq; entry ${bad} is ${shownValue(given[bad])}.`,
    )
}

const NUMBERS = ['now', 'lastUsed', 'cacheLifetimeSeconds', 'refusals', 'refusedTokens', 'prefixTokens'] as const

/**
 * Refuses numbers of a request that are negative or not finite. What is absent is fine, but `prices` need all four.
 * @throws CairnError `invalid-input` naming the first bad one
 */
const assertNumbers = (input: RequestSetting): void => {
  const prices: Readonly<Record<string, unknown>> = { ...input.prices }
  const all: readonly (readonly [string, unknown])[] = [
    ...NUMBERS.map((name): [string, unknown] => [name, input[name]]),
    ...(input.prices === undefined
      ? []
      : ['input', 'output', 'write', 'read'].map((name): [string, unknown] => [
          `prices.${name}`,
          prices[name] ?? null,
        ])),
  ]
  for (const [name, value] of all) {
    if (value === undefined || (typeof value === 'number' && Number.isFinite(value) && value >= 0)) continue
    throw new CairnError(
      'invalid-input',
      `${name} must be a number, at least 0, not ${typeof value === 'number' || typeof value === 'string' ? String(value) : typeof value}.`,
    )
  }
}

const factsFor = ({ facts, model }: RequestSetting): ModelFacts => facts ?? modelFacts(model ?? '')

/**
 * Refuses a longest reply that no window of this size can hold. No longest reply is fine. @throws CairnError
 * `invalid-input`
 */
const assertReplyFits = (maxOutputTokens: number | undefined, window: number): void => {
  if (maxOutputTokens !== undefined && maxOutputTokens > window)
    throw new CairnError(
      'invalid-input',
      `maxOutputTokens (${maxOutputTokens}) is larger than the window (${window}): ask for a shorter reply, or name a model with a larger window.`,
    )
}

/**
 * What a policy needs to know of a request (window, available tokens, prices, cache), from what the caller gives. What
 * is not given has the model's value, prices those of a Claude Sonnet whatever the model. `now` in ms. Throws
 * `invalid-input` where the reply does not fit the window, or nothing is left for messages.
 */
export const situationOf = (input: RequestSetting, facts: ModelFacts = factsFor(input), now = 0): Situation => {
  const charsPerToken = input.charsPerToken ?? facts.charsPerToken
  const prefix = input.prefixTokens ?? Math.ceil(prefixCharacters(input) / charsPerToken)
  const window = input.window ?? facts.contextWindow
  assertReplyFits(input.maxOutputTokens, window)
  const { usable } = contextBudget({
    window,
    maxOutputTokens: input.maxOutputTokens ?? facts.maxOutputTokens,
    systemTokens: prefix,
    maxInputTokens: input.window === undefined ? facts.maxInputTokens : undefined,
  })
  const { refusals = 0, refusedTokens, lastUsed = 0, prices = DEFAULT_PRICES, focus } = input
  return {
    now,
    window,
    availableTokens: usable,
    prefix,
    lastUsed,
    prices,
    cacheLifetime: input.cacheLifetimeSeconds ?? knownLifetime(facts),
    refusals,
    model: facts.id === '' ? undefined : facts.id,
    provider: input.provider,
    thinkingSignature: facts.thinkingSignature,
    ...(refusedTokens === undefined ? {} : { refusedTokens }),
    ...(focus === undefined ? {} : { focus }),
  }
}

/** How long a provider keeps what it cached, seconds: the model's, or the usual one of models that are not known. */
const knownLifetime = ({ known, cacheLifetimeSeconds }: ModelFacts): number =>
  known ? cacheLifetimeSeconds : DEFAULT_LIFETIME_SECONDS

const newestTime = (log: readonly LogEntry[]): number => log.reduce((newest, { at }) => Math.max(newest, at ?? 0), 0)
