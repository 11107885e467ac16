/** Parses the options of `cairn replay`. */
import { CairnError, DEFAULT_REPLAY_PRICES, REPLAY_POLICY_NAMES, pricesOfModel, replyReserve } from '@cairn/core'
import type { ContextPrices, CacheAwarePreset, ReplayPolicyName, ReplaySettings } from '@cairn/core'
import { didYouMean } from '../options/close-matches.ts'
import type { CommonOptions, Context } from '../command.ts'
import { counted, formatWhole } from '../terminal/format.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'

/** Four numbers, or a model's name that is looked up. A missing write or read price is undefined. */
export type PriceOption =
  | { readonly model: string }
  | {
      readonly input: number
      readonly output: number
      readonly write: number | undefined
      readonly read: number | undefined
    }

export interface ReplayOptions extends CommonOptions {
  readonly policy?: readonly ReplayPolicyName[]
  readonly preset: CacheAwarePreset
  readonly window: number
  readonly prefix: number
  readonly ttl: number
  readonly prices?: PriceOption
  readonly charsPerToken: number
  readonly trace?: string
}

const NUMBER = /^\d+(?:\.\d*)?$|^\.\d+$/
const WANTED_PRICES =
  "a model's name or four prices (input,output,write,read) in USD per million tokens such as 3,15,3.75,0.3"

/**
 * Reads `--policy`: names separated by commas, each kept once, in their order. @throws CairnError `usage` for none or
 * an unknown one
 */
export const policiesIn = (text: string): readonly ReplayPolicyName[] => {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (names.length === 0)
    throw new CairnError('usage', `--policy takes ${REPLAY_POLICY_NAMES.join(', ')}, some of them with commas between.`)
  return [...new Set(names)].map((name) => {
    const found = REPLAY_POLICY_NAMES.find((known) => known === name)
    if (found === undefined)
      throw new CairnError(
        'usage',
        `There is no policy '${neutraliseLine(name)}'; there are ${REPLAY_POLICY_NAMES.join(', ')}.${didYouMean(name, REPLAY_POLICY_NAMES)}`,
      )
    return found
  })
}

/**
 * Reads `--prices`: a model's name, which is not looked up here, or four prices in USD per million tokens. 0 or `-` as
 * a price of cached tokens means that there is none. Throws `usage` for anything else.
 */
export const pricesIn = (text: string): PriceOption => {
  const wrong = (): CairnError =>
    new CairnError('usage', `--prices takes ${WANTED_PRICES}, not '${neutraliseLine(text)}'.`)
  const parts = text.split(',').map((part) => part.trim())
  if (parts.length === 1 && parts[0] !== undefined && parts[0] !== '' && !/^-?[\d.]+$|^-$/.test(parts[0]))
    return { model: parts[0] }
  const price = (part: string | undefined): number => {
    if (part === undefined || !NUMBER.test(part)) throw wrong()
    return Number(part)
  }
  /** Reads a price of cached tokens, USD per million. 0 and `-` mean that there is no such price. */
  const cachePrice = (part: string | undefined): number | undefined =>
    part === '-' ? undefined : price(part) || undefined
  if (parts.length !== 4) throw wrong()
  return { input: price(parts[0]), output: price(parts[1]), write: cachePrice(parts[2]), read: cachePrice(parts[3]) }
}

/**
 * Makes a reader for an option's value: a number above 0 in digits with a point (no sign, no exponent). The reader
 * throws `usage` for any other text.
 */
export const positiveNumber =
  (option: string) =>
  (text: string): number => {
    const value = NUMBER.test(text.trim()) ? Number(text) : Number.NaN
    if (!(value > 0))
      throw new CairnError('usage', `${option} takes a number above 0 such as 2.7, not '${neutraliseLine(text)}'.`)
    return value
  }

/**
 * Whether the settings' prices (input, output, cache reads) are today's prices of a model, so that what was paid for
 * its requests compares with them directly; false for a model without a price.
 */
export const arePricesOf = async (
  model: string,
  { prices, cacheLifetime }: ReplaySettings,
  options: CommonOptions,
  context: Context,
): Promise<boolean> => {
  const { prices: overrides } = await context.settings(options)
  const own = await pricesOfModel(model, { at: context.now(), cacheLifetime, overrides: overrides.value })
  return own !== undefined && own.input === prices.input && own.output === prices.output && own.read === prices.read
}

/**
 * Returns the settings of the replay from the options; a `cacheLifetime` of 0 (seconds) means that there is no cache.
 * Rejects with `usage` if the window leaves no tokens for messages, and for a model without a price.
 */
export const settingsOf = async (options: ReplayOptions, context: Context): Promise<ReplaySettings> => {
  const { window, prefix, ttl, charsPerToken } = options
  if (window <= prefix) {
    throw new CairnError(
      'usage',
      `A window of ${counted(window, 'token')} has no room beside a prefix of ${formatWhole(prefix)}; give a larger --window or a smaller --prefix.`,
    )
  }
  const { prices, hasCache } = await pricesOf(options, context)
  return {
    window,
    prefix,
    prices,
    cacheLifetime: hasCache ? ttl : 0,
    charactersPerToken: charsPerToken,
    reply: replyReserve({ window, prefix }),
  }
}

/**
 * Returns the prices to replay with, USD per million tokens, and whether there is a cache at all. Without a price for
 * cache reads, or with `--ttl 0`, there is none, and all input costs the same. Rejects for a model without a price.
 */
const pricesOf = async (
  { prices, ttl, ...options }: ReplayOptions,
  context: Context,
): Promise<{ readonly prices: ContextPrices; readonly hasCache: boolean }> => {
  const given =
    prices === undefined
      ? DEFAULT_REPLAY_PRICES
      : 'model' in prices
        ? await modelPrices(prices.model, ttl, options, context)
        : prices
  const { input, output, write, read } = given
  // Without a price for cache reads there is no cache, and all input costs the same.
  if (read === undefined || ttl === 0) return { prices: { input, output, write: input, read: input }, hasCache: false }
  return { prices: { input, output, write: write ?? input, read }, hasCache: true }
}

/**
 * Returns the current prices of a model, USD per million tokens; the user's own come first. `read` is undefined where
 * reading from the cache is not cheaper than input. Rejects with `usage` if none are known.
 */
const modelPrices = async (
  model: string,
  ttl: number,
  options: Omit<ReplayOptions, 'prices' | 'ttl'>,
  context: Context,
): Promise<Exclude<PriceOption, { readonly model: string }>> => {
  const { prices: overrides } = await context.settings(options)
  const found = await pricesOfModel(model, { at: context.now(), cacheLifetime: ttl, overrides: overrides.value })
  if (found === undefined)
    throw new CairnError(
      'usage',
      `No price is known for the model '${neutraliseLine(model)}'; --prices takes ${WANTED_PRICES}.`,
    )
  const { input, output, write, read } = found
  return { input, output, write, read: read < input ? read : undefined }
}
