/** The models that the server has. Tests may give their own, with other limits and prices. */
import type { Prices } from './ledger.ts'

export type WireName = 'anthropic' | 'openai-responses' | 'openai-chat' | 'gemini'

export interface ServedModel {
  readonly name: string
  readonly wires: readonly WireName[]
  /** Tokens of input and reply together. */
  readonly contextWindow: number
  readonly maxOutputTokens: number
  /** A shorter prefix is not cached. */
  readonly minimumCacheableTokens: number
  readonly prices: Prices
  /**
   * What a signature of thinking is bound to: `text`, what was thought; `conversation`, also the model, the account and
   * all messages before it, and then tools can't be forced nor thinking turned off.
   */
  readonly signature?: 'text' | 'conversation'
  /** The last message may be the beginning of the reply. */
  readonly hasPrefill?: boolean
  /** Gemini, also over Google's compatible API: a call's signature has to come back with it; its own: calls have ids, and thinking has levels, not budgets. */
  readonly requiresThoughtSignatures?: boolean
  /** OpenAI: takes `reasoning`, and no `temperature`. */
  readonly isReasoning?: boolean
  /** Of compatible servers: the field of a chunk that reasoning comes in; without one it is not shown. */
  readonly reasoningField?: 'reasoning_content' | 'reasoning'
  /** OpenAI: writes to the cache are billed, by lifetime. */
  readonly billsCacheWrites?: boolean
}

const MILLION = 1_000_000

/** A model of Anthropic's as the server has it; `rest` wins. `minimum`: tokens that can be cached at least. */
const claude = (name: string, minimum: number, prices: Prices, rest: Partial<ServedModel>): ServedModel => ({
  name,
  wires: ['anthropic'],
  contextWindow: MILLION,
  maxOutputTokens: 128_000,
  minimumCacheableTokens: minimum,
  prices,
  signature: 'text',
  ...rest,
})

const OPUS = { input: '5', cacheRead: '0.50', cacheWrite5m: '6.25', cacheWrite1h: '10', output: '25' }
const SONNET = { input: '3', cacheRead: '0.30', cacheWrite5m: '3.75', cacheWrite1h: '6', output: '15' }
/** Sonnet 5 kept the price that it began with. */
const SONNET_5 = { input: '2', cacheRead: '0.20', cacheWrite5m: '2.50', cacheWrite1h: '4', output: '10' }
const HAIKU = { input: '1', cacheRead: '0.10', cacheWrite5m: '1.25', cacheWrite1h: '2', output: '5' }

/** A model of OpenAI's as the server has it; `rest` wins. */
const gpt = (name: string, prices: Prices, rest: Partial<ServedModel> = {}): ServedModel => ({
  name,
  wires: ['openai-responses', 'openai-chat'],
  contextWindow: 400_000,
  maxOutputTokens: 128_000,
  minimumCacheableTokens: 1024,
  prices,
  ...rest,
})

/** A model of Google's as the server has it; `rest` wins. `minimum`: tokens that can be cached at least. */
const gemini = (name: string, minimum: number, prices: Prices, rest: Partial<ServedModel>): ServedModel => ({
  name,
  wires: ['gemini'],
  contextWindow: 1_048_576,
  maxOutputTokens: 65_536,
  minimumCacheableTokens: minimum,
  prices,
  ...rest,
})

export const DEFAULT_MODELS: readonly ServedModel[] = [
  claude('claude-opus-5-5', 512, OPUS, { signature: 'conversation' }),
  claude('claude-sonnet-5-5', 512, SONNET, { signature: 'conversation' }),
  claude('claude-opus-5', 512, OPUS, {}),
  claude('claude-sonnet-5', 1024, SONNET_5, {}),
  claude('claude-opus-4-8', 1024, OPUS, {}),
  claude('claude-opus-4-7', 2048, OPUS, {}),
  claude('claude-haiku-4-5', 4096, HAIKU, { contextWindow: 200_000, maxOutputTokens: 64_000, hasPrefill: true }),
  gpt(
    'gpt-5.6',
    { input: '2.50', cacheRead: '0.25', cacheWrite30m: '3.125', cacheWrite12h: '3.125', output: '15' },
    { contextWindow: 1_050_000, billsCacheWrites: true, isReasoning: true },
  ),
  gpt('gpt-5.1', { input: '1.25', cacheRead: '0.125', output: '10' }, { isReasoning: true }),
  gpt('gpt-4.1', { input: '2', cacheRead: '0.50', output: '8' }, { contextWindow: 1_047_576, maxOutputTokens: 32_768 }),
  // Of a server that is compatible with Chat Completions.
  gpt(
    'qwen-local',
    { input: '0', cacheRead: '0', output: '0' },
    { wires: ['openai-chat'], contextWindow: 131_072, maxOutputTokens: 32_768, reasoningField: 'reasoning_content' },
  ),
  gemini('gemini-3-pro', 4096, { input: '2', cacheRead: '0.20', output: '12' }, { requiresThoughtSignatures: true }),
  gemini('gemini-2.5-flash', 2048, { input: '0.30', cacheRead: '0.03', output: '2.50' }, {}),
]
