/** The sentence that a person reads when a request to a model failed: what failed, and what to do. */
import type { ModelErrorCode, ModelErrorDetails } from '../../ports/language-model.ts'

/** What is known of a failure; everything may be missing. */
export interface Failure {
  readonly status?: number | undefined
  /** The provider's words for the error, such as `overloaded_error` or `insufficient_quota`, one space between. */
  readonly kind: string
  /** The provider's message, or that of the error. */
  readonly message: string
  /** Names and codes of the thrown error and its causes, such as `TypeError ECONNREFUSED`. */
  readonly cause: string
  /** Whether an error of the provider's API was read, and not just a status. */
  readonly isFromApi: boolean
  readonly retryAfterMs?: number | undefined
  /**
   * Of a request that is too long: tokens of the input, and the most that are taken, where the error has fields for them.
   */
  readonly counts?: OverflowCounts | undefined
}

export type OverflowCounts = Pick<ModelErrorDetails, 'inputTokens' | 'limitTokens'>

/** Whom a request asked. */
export interface Asked {
  /** As people write it: `Anthropic`. */
  readonly provider: string
  readonly model: string
  readonly baseUrl?: string | undefined
  /** Whose API is spoken, where it is not the provider's own. */
  readonly api?: string | undefined
  /** Where the key comes from, such as the name of an environment variable. */
  readonly keyName?: string | undefined
  /** Never shown. */
  readonly apiKey?: string | undefined
  /** The provider's own words for errors; they come before what the words mean elsewhere. */
  readonly errorWords?: Readonly<Record<string, ModelErrorCode>> | undefined
}

/** Characters of a provider's message that are shown. */
const SHOWN = 300

/** What a sentence is made of. */
interface Parts {
  readonly provider: string
  readonly model: string
  readonly keyName: string
  /** The provider's message behind a colon, or nothing. */
  readonly text: string
  /** The HTTP status in brackets, or nothing. */
  readonly status: string
  readonly wait: string
  readonly address: string
  readonly api: string
}

const SENTENCES: Readonly<Record<ModelErrorCode, (parts: Parts) => string>> = {
  'context-overflow': ({ model, text }) =>
    `The request is too long for ${model}${text}. Leave something out, or take a model with a larger window.`,
  'bad-request': ({ provider, status, text }) => `${provider} refuses the request${status}${text}.`,
  refused: ({ provider, text }) => `${provider} declined to answer${text}: ask in another way, or another model.`,
  auth: ({ provider, status, keyName, model }) =>
    `${provider} does not accept the key${status}: check ${keyName}, and whether it may use ${model}.`,
  quota: ({ provider, status }) =>
    `The account with ${provider} has no credit left or has reached its limit${status}: add credit or raise the limit there, then ask again.`,
  'unknown-model': ({ provider, model, status }) =>
    `${provider} has no model named ${model}, or the key may not use it${status}: check the name.`,
  'rate-limit': ({ provider, status, wait }) => `${provider} takes no more requests at the moment${status}; ${wait}.`,
  overloaded: ({ provider, status, wait }) => `${provider} is overloaded${status}; ${wait}.`,
  unavailable: ({ provider, status, text, wait }) => `${provider} failed to answer${status}${text}; ${wait}.`,
  'connection-lost': ({ provider, address, text }) =>
    `There is no connection to ${provider}${address}, or it broke${text}: check the network and the address, then ask again.`,
  'cut-off': ({ provider }) => `The reply of ${provider} broke off before its end: ask again.`,
  'not-an-api': ({ provider, address, api, status }) =>
    `What answers${address === '' && api !== provider ? ` at ${provider}` : address} does not speak the API of ${api}${status}: check the base URL.`,
  malformed: ({ provider, text }) => `The answer of ${provider} can't be read${text}; ask again.`,
  timeout: ({ provider, status }) => `${provider} did not answer in time${status}; ask again.`,
  cancelled: () => 'The request was cancelled.',
}

/**
 * The sentence that a person is told for a failed request: what failed, with the provider's own words where they help,
 * and what to do.
 */
export const sentenceFor = (code: ModelErrorCode, failure: Failure, asked: Asked): string => {
  const { provider, model, keyName = 'the API key', api = provider } = asked
  return SENTENCES[code]({
    provider,
    model,
    keyName,
    text: code === 'connection-lost' ? connectionText(failure, asked) : messageText(failure, asked),
    status: failure.status === undefined ? '' : ` (HTTP ${failure.status})`,
    wait: waitText(failure),
    address: addressOf(asked),
    api,
  })
}

/**
 * What the provider says, behind a colon: on one line, cut to `SHOWN` characters, without the key; '' where it says
 * nothing.
 */
const messageText = ({ message }: Failure, { apiKey }: Asked): string => {
  const open = apiKey === undefined || apiKey === '' ? message : message.replaceAll(apiKey, '(key)')
  const shown = open
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .replace(/[.:;,]+$/, '')
  if (shown === '') return ''
  return `: ${shown.length > SHOWN ? `${shown.slice(0, SHOWN - 1).toWellFormed()}…` : shown}`
}

/** What libraries say of any connection that failed; the system's own word, in a cause, says more. */
const SAYS_NOTHING = /^(?:connection error|fetch failed|terminated)\.?$/i
const REASON = /\b(?:E[A-Z]{4,}|EAI_[A-Z]+|(?:UND_ERR|ERR|CERT|DEPTH)_[A-Z_]+|[A-Z_]+_CERT[A-Z_]*)\b/

/**
 * What is known of a connection that failed: the message, as `messageText`; where that is only that it failed, the
 * system's word for the reason in brackets, or ''.
 */
const connectionText = (failure: Failure, asked: Asked): string => {
  if (!SAYS_NOTHING.test(failure.message.trim())) return messageText(failure, asked)
  const [reason] = REASON.exec(failure.cause) ?? []
  return reason === undefined ? '' : ` (${reason})`
}

/** ` at host:port` of the asked address; '' where it has none, or is named by it. */
const addressOf = ({ baseUrl, provider }: Asked): string => {
  if (baseUrl === undefined || !URL.canParse(baseUrl)) return ''
  const { host } = new URL(baseUrl)
  return host === '' || host === provider ? '' : ` at ${host}`
}

/** How long to wait, in whole seconds rounded up; without a time only that it is to be asked again. */
const waitText = ({ retryAfterMs }: Failure): string =>
  retryAfterMs === undefined ? 'ask again later' : `ask again in ${Math.max(1, Math.ceil(retryAfterMs / 1000))} s`

/**
 * The numbers in a message about a request that is too long: tokens of the input, and the most that are taken. Empty
 * unless two numbers from 100 on are found; the first two count, the larger one is the input.
 */
export const overflowCounts = (message: string): OverflowCounts => {
  // Not the numbers in a model's name.
  const [first, second] = [...message.matchAll(/(?<![\w.,-])\d[\d,_]{2,}(?![\w-])/g)]
    .map(([digits]) => Number(digits.replace(/[,_]/g, '')))
    .filter((count) => count >= 100)
  if (first === undefined || second === undefined) return {}
  // The larger one is what was sent: it is too much.
  return { inputTokens: Math.max(first, second), limitTokens: Math.min(first, second) }
}
