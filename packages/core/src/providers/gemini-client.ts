/** How Gemini's API is reached: the address, the key, and what an answer that is an error says. */
import { arrayOf, isJsonObject, objectOf, parseJson, stringOf, type JsonObject, type JsonValue } from '../json.ts'
import { ModelError } from '../ports/language-model.ts'
import { geminiName } from './gemini-models.ts'
import type { ProviderOptions } from './provider-options.ts'
import { assertKey } from './shared/api-key.ts'
import type { Asked } from './shared/failure-sentences.ts'
import { StreamFailure } from './shared/failures.ts'

export interface GeminiOptions extends ProviderOptions {
  /** Where the key stands; default `x-goog-api-key`. */
  readonly keyHeader?: 'x-goog-api-key' | 'authorization' | undefined
}

const BASE_URL = 'https://generativelanguage.googleapis.com'

/** A connection to a server that speaks Gemini's API. */
export interface GeminiConnection {
  readonly provider: string
  readonly title: string
  /** What an error's sentence names of a request: provider, model, address and key variable. */
  asked(model: string): Asked
  /**
   * Sends a body to a model's method (`verb`, such as `streamGenerateContent`) and resolves with the response once its
   * head is there.
   * @throws ModelError `auth` without a key; StreamFailure for an answer that is an error; what `fetch` throws
   */
  post(model: string, verb: string, body: JsonObject, signal: AbortSignal | undefined): Promise<Response>
}

/**
 * A connection to Gemini's API, or to a server that speaks it at `baseUrl`. Nothing is sent, and the key is not looked
 * at, before the first `post`. `post` resolves to the response of a success only; it rejects with a ModelError or
 * GeminiFailure for others, and as `fetch` does. `/openai` at the end of `baseUrl` is left out; `/v1beta` is added if
 * it has no version.
 */
export const connectGemini = (options: GeminiOptions): GeminiConnection => {
  const { provider = 'google', title = 'Google', keyName = 'GEMINI_API_KEY', apiKey = '', headers } = options
  const baseUrl = (options.baseUrl ?? BASE_URL).replace(/(?:\/openai)?\/*$/, '')
  const root = /\/v\d\w*$/.test(baseUrl) ? baseUrl : `${baseUrl}/v1beta`
  return {
    provider,
    title,
    asked: (model) => ({ provider: title, model, baseUrl, keyName, apiKey }),
    post: async (model, verb, body, signal) => {
      assertKey(options, title, keyName)
      const response = await fetch(`${root}/models/${encodeURIComponent(geminiName(model))}:${verb}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...keyHeaders(apiKey, options.keyHeader), ...headers },
        body: JSON.stringify(body),
        // The key would go along to wherever the answer points.
        redirect: 'manual',
        ...(signal === undefined ? {} : { signal }),
      })
      if (response.ok) return response
      const text = await response.text()
      if (response.status < 400)
        throw new ModelError(
          'not-an-api',
          `${title} answers with a redirection (HTTP ${response.status}): check the base URL.`,
          { status: response.status },
        )
      throw new GeminiFailure(errorIn(text), response.status, response.headers)
    },
  }
}

/** The header with the key; none for an empty one. */
const keyHeaders = (key: string, header: GeminiOptions['keyHeader'] = 'x-goog-api-key'): Record<string, string> => {
  if (key === '') return {}
  return header === 'authorization' ? { authorization: `Bearer ${key}` } : { 'x-goog-api-key': key }
}

/** The `error` object in an answer's JSON, which may stand in a list; undefined where there is none. */
const errorIn = (text: string): JsonObject | undefined => {
  const value = parseJson(text)?.value
  const { error } = objectOf(arrayOf(value)[0] ?? value)
  return isJsonObject(error) ? error : undefined
}

/** An error of the API, with the wait that it names in its details as the header that other APIs have for it. */
export class GeminiFailure extends StreamFailure {
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(error: JsonObject | undefined, status?: number, headers?: Headers) {
    super(error === undefined ? undefined : withoutMinuteQuota(error))
    this.name = 'GeminiFailure'
    this.status = status
    const seconds = /^(\d+(?:\.\d+)?)s$/.exec(stringOf(detailOf(error, 'RetryInfo').retryDelay) ?? '')?.[1]
    const wait = headers?.get('retry-after') ?? seconds
    this.headers = wait === undefined ? {} : { 'retry-after': wait }
  }
}

/** The detail of a type in an error; an empty object without one. */
const detailOf = (error: JsonObject | undefined, type: string): JsonObject => {
  const isOfType = (detail: JsonValue): boolean => stringOf(objectOf(detail)['@type'])?.endsWith(`.${type}`) === true
  return objectOf(arrayOf(error?.details).find(isOfType))
}

/**
 * The error, with a message of ours where only quotas of a minute were exceeded: the API's own is the same as for a day
 * and asks to look at the bill, while such a quota only has to be waited for.
 */
const withoutMinuteQuota = (error: JsonObject): JsonObject => {
  const quotas = arrayOf(detailOf(error, 'QuotaFailure').violations).map(
    (violation) => stringOf(objectOf(violation).quotaId) ?? '',
  )
  const isOfMinute = quotas.length > 0 && quotas.every((quota) => /PerMinute/.test(quota) && !/PerDay/.test(quota))
  return isOfMinute ? { ...error, message: 'Too many requests or tokens within a minute' } : error
}
