/** What both of OpenAI's APIs share: how they are reached, and how they count. */
import type { OpenAI } from 'openai'
import { countOf, objectOf, type JsonObject } from '../json.ts'
import type { ModelRequest } from '../ports/language-model.ts'
import type { TokenUsage } from '../ports/price-book.ts'
import type { ProviderOptions } from './provider-options.ts'
import { assertKey } from './shared/api-key.ts'
import type { Asked } from './shared/failure-sentences.ts'
import { NEVER_MS, SILENT } from './shared/library-settings.ts'
import type { EventResponse } from './shared/server-sent-events.ts'

export interface OpenAIOptions extends ProviderOptions {
  /** Where the key stands; default `authorization`. */
  readonly keyHeader?: 'authorization' | 'api-key' | undefined
}

const BASE_URL = 'https://api.openai.com/v1'

/** A connection to a server that speaks OpenAI's APIs. */
export interface OpenAIConnection {
  readonly provider: string
  readonly title: string
  /** The server is OpenAI's own, or Azure's. */
  readonly isHosted: boolean
  /** What an error's sentence names of a request: provider, model, address and key variable. */
  asked(model: string): Asked
  /**
   * Sends a body and resolves with the response once its head is there.
   * @throws ModelError `auth` without a key; what the library throws
   */
  post(
    path: string,
    body: JsonObject,
    isStream: boolean,
    signal: AbortSignal | undefined,
  ): Promise<EventResponse & Pick<Response, 'json'>>
}

/**
 * A connection to OpenAI's API, or to a server that speaks it at `baseUrl`. The library is loaded, and the key looked
 * at, with the first `post`. Never retries: that is `withRetries`' matter. `post` rejects with a ModelError for a
 * missing key, and with the library's errors.
 */
export const connectOpenAI = (options: OpenAIOptions): OpenAIConnection => {
  const { provider = 'openai', title = 'OpenAI', keyName = 'OPENAI_API_KEY', apiKey, baseUrl = BASE_URL } = options
  let client: Promise<OpenAI> | undefined
  return {
    provider,
    title,
    isHosted: isHostedUrl(baseUrl),
    asked: (model) => ({ provider: title, api: 'OpenAI', model, baseUrl, keyName, apiKey }),
    post: async (path, body, isStream, signal) => {
      assertKey(options, title, keyName)
      const library = await (client ??= createClient(options, baseUrl))
      const request = {
        body,
        stream: isStream,
        maxRetries: 0,
        timeout: NEVER_MS,
        ...(signal === undefined ? {} : { signal }),
      }
      return library.post(path, request).asResponse()
    },
  }
}

/** Whether an address is OpenAI's own, or Azure's; false for what is no address. */
export const isHostedUrl = (url: string): boolean =>
  URL.canParse(url) && /(?:^|\.)(?:openai\.com|azure\.com)$/.test(new URL(url).hostname)

/** Loads the library and makes its client, which tries nothing again by itself. An empty key sends none. */
const createClient = async (
  { apiKey = '', keyHeader = 'authorization', headers }: OpenAIOptions,
  baseURL: string,
): Promise<OpenAI> => {
  const { OpenAI: Client } = await import('openai')
  const key = keyHeader === 'api-key' ? { authorization: null, 'api-key': apiKey } : {}
  // Other servers have nothing to do with the organisation that the environment names for OpenAI.
  const account = isHostedUrl(baseURL) ? {} : { organization: null, project: null }
  return new Client({
    baseURL,
    // The library refuses to be without one; a server that needs none is not sent it.
    apiKey: apiKey === '' ? 'none' : apiKey,
    adminAPIKey: null,
    maxRetries: 0,
    ...account,
    ...SILENT,
    defaultHeaders: { ...(apiKey === '' ? { authorization: null } : key), ...headers },
  })
}

/**
 * Whether one of OpenAI's models reasons, by its name: the others refuse a request that says how much. False for names
 * of others.
 */
export const isReasoningModel = (model: string): boolean =>
  /^(?:gpt-(?:5|[6-9]|\d\d)|o\d|codex|computer)/.test(nameOf(model)) && !/-chat/.test(model)

/** Whether a model is OpenAI's own, wherever it is reached: the host then knows what only OpenAI knows. */
export const isOpenAIModel = (model: string): boolean => /^(?:gpt-(?!oss)|chatgpt|o\d|codex)/.test(nameOf(model))

/** Whether one of OpenAI's models takes cache breakpoints, by its name; false for one that is not known. */
export const takesBreakpoints = (model: string): boolean => /^gpt-(?:5\.[6-9]|[6-9]|\d\d)/.test(nameOf(model))

const nameOf = (model: string): string => model.slice(model.lastIndexOf('/') + 1).toLowerCase()

/** From the least effort to the most. */
const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
type Effort = (typeof EFFORTS)[number]

/** The efforts that models know, by their names; the first row that fits. */
const KNOWN_EFFORTS: readonly (readonly [RegExp, readonly Effort[]])[] = [
  [/^gpt-(?:5\.[6-9]|[6-9]|\d\d)/, ['none', 'low', 'medium', 'high', 'xhigh', 'max']],
  [/^gpt-5\.[2-5]/, ['none', 'low', 'medium', 'high', 'xhigh']],
  [/^gpt-5\.1(?!.*codex)/, ['none', 'low', 'medium', 'high']],
  [/^gpt-5(?!.*codex)/, ['minimal', 'low', 'medium', 'high']],
]
const USUAL_EFFORTS: readonly Effort[] = ['low', 'medium', 'high']

/**
 * The effort of a request as its model knows it: the next higher one that it has, or else its highest. Undefined where
 * the request names none.
 */
export const effortOf = ({ model, effort }: ModelRequest): Effort | undefined => {
  if (effort === undefined) return undefined
  const known = KNOWN_EFFORTS.find(([pattern]) => pattern.test(nameOf(model)))?.[1] ?? USUAL_EFFORTS
  const wanted = EFFORTS.indexOf(effort)
  return known.find((one) => EFFORTS.indexOf(one) >= wanted) ?? known.at(-1)
}

/** Counts as both APIs give them. What is read from the cache or written to it is part of the input there. */
export interface OpenAICounts {
  readonly input: JsonObject[string]
  readonly inputDetails: JsonObject[string]
  readonly output: JsonObject[string]
  readonly outputDetails: JsonObject[string]
}

/**
 * OpenAI's counts, in which cached tokens are part of the input, as disjoint token classes; cache writes without a
 * split count as those of 30 minutes. What is missing counts as 0; only `reasoningTokens` is then left out.
 */
export const openAIUsage = ({ input, inputDetails, output, outputDetails }: OpenAICounts): TokenUsage => {
  const details = objectOf(inputDetails)
  const split = objectOf(details.cache_write_tokens_details)
  const long = countOf(split.ttl_12h_tokens)
  const written = Math.max(countOf(details.cache_write_tokens), long + countOf(split.ttl_30m_tokens))
  const read = countOf(details.cached_tokens)
  const reasoning = objectOf(outputDetails).reasoning_tokens
  return {
    inputTokens: Math.max(0, countOf(input) - read - written),
    cacheReadTokens: read,
    cacheWrite5mTokens: 0,
    cacheWrite1hTokens: 0,
    cacheWrite30mTokens: written - long,
    cacheWrite12hTokens: long,
    outputTokens: countOf(output),
    ...(typeof reasoning === 'number' ? { reasoningTokens: countOf(reasoning) } : {}),
  }
}
