/**
 * Models of all providers. The providers' libraries are large, so each is loaded when its first request is made.
 */
import { setTimeout as sleepFor } from 'node:timers/promises'
import { CairnError } from '../errors.ts'
import { shownValue } from '../input.ts'
import type { LanguageModel } from '../ports/language-model.ts'
import { withRetries, type RetryOptions } from '../retries/with-retries.ts'
import { withNearestModels } from './nearest-names.ts'
import { isHostedUrl } from './openai-client.ts'
import { PROVIDERS, type AllOptions } from './registry.ts'

export { createAnthropicModel } from './anthropic.ts'
export type { AnthropicOptions } from './anthropic.ts'
export { createGeminiModel } from './gemini.ts'
export type { GeminiOptions } from './gemini-client.ts'
export { createOpenAIChatModel } from './openai-chat.ts'
export type { OpenAIOptions } from './openai-client.ts'
export { createOpenAIResponsesModel } from './openai-responses.ts'
export type { OpenAIResponsesOptions } from './openai-responses.ts'
export type { ProviderOptions } from './provider-options.ts'
export {
  findProviderKey,
  providerKeys,
  secretNameOf,
  type FoundKey,
  type KeyLocation,
  type ProviderKey,
} from './provider-keys.ts'
export { PROVIDERS } from './registry.ts'
export type { AllOptions, ProviderEntry } from './registry.ts'
export { validateAnthropic } from './rules/anthropic.ts'
export { validateGemini } from './rules/gemini.ts'
export { validateOpenAIChat } from './rules/openai-chat.ts'
export { validateOpenAIResponses } from './rules/openai-responses.ts'
export type { WireProblem } from './rules/wire-rules.ts'

export interface LanguageModelOptions extends Omit<AllOptions, 'provider'> {
  /** One of {@link PROVIDERS}. */
  readonly provider: string
  /** How failed requests are made again; `false`: not at all. */
  readonly retries?: Partial<RetryOptions> | false
}

/**
 * The models of a provider; failed requests are repeated unless `retries` is false, and the error of an unknown model
 * names the nearest ones. Nothing is sent, and the key is not looked at, before a request.
 * @throws CairnError `unsupported` for a provider that is not known, `invalid-input` for one that needs a base URL, or
 * a base URL that is none of HTTP.
 */
export const createLanguageModel = ({ provider, retries = {}, ...options }: LanguageModelOptions): LanguageModel => {
  const entry = Object.hasOwn(PROVIDERS, provider) ? PROVIDERS[provider] : undefined
  if (entry === undefined)
    throw new CairnError(
      'unsupported',
      `There is no provider ${shownValue(provider)}; there are ${Object.keys(PROVIDERS).join(', ')}.`,
    )
  const { keyNames, create } = entry
  const baseUrl = options.baseUrl ?? entry.baseUrl
  const title = provider === COMPATIBLE ? (compatibleHost(baseUrl) ?? entry.title) : entry.title
  if (baseUrl === undefined && entry.needsBaseUrl === true)
    throw new CairnError(
      'invalid-input',
      `${title} needs a base URL, such as https://<name>.openai.azure.com/openai/v1.`,
    )
  if (baseUrl !== undefined && !/^https?:\/\//.test(baseUrl))
    throw new CairnError(
      'invalid-input',
      `The base URL must begin with http:// or https://, not ${shownValue(baseUrl)}.`,
    )
  const model = create({ provider: entry.provider ?? provider, title, keyName: keyNames[0], ...options, baseUrl })
  return withRetries(model, {
    explain: withNearestModels(model.provider),
    sleep,
    ...(retries === false ? { maximumAttempts: 1 } : retries),
  })
}

/** Most servers that are not a provider's own speak this API. */
const COMPATIBLE = 'openai-chat'

/** What people call a compatible server: its host; undefined where it is the provider's own, or none can be told. */
const compatibleHost = (baseUrl: string | undefined): string | undefined => {
  if (baseUrl === undefined || !URL.canParse(baseUrl) || isHostedUrl(baseUrl)) return undefined
  const { host } = new URL(baseUrl)
  return host === '' ? undefined : host
}

/** Waits so many ms, or until the signal is aborted. Never rejects. */
const sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
  try {
    await sleepFor(ms, undefined, signal === undefined ? {} : { signal })
  } catch {
    // Aborted: whoever waits looks at the signal.
  }
}
