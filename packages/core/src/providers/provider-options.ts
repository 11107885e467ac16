/** What every provider can be set to. */
import type { ReplyTimes } from './shared/reply-stream.ts'

export interface ProviderOptions extends ReplyTimes {
  /** What usage and prices call it (`LanguageModel.provider`); default the name of the provider whose API it is. */
  readonly provider?: string | undefined
  /** What people call it, in messages; default as for the API. */
  readonly title?: string | undefined
  readonly apiKey?: string | undefined
  /** Where the key was looked for, for messages: `ANTHROPIC_API_KEY`. */
  readonly keyName?: string | undefined
  /** Of a compatible server; default the provider's own. */
  readonly baseUrl?: string | undefined
  /** Sent with every request, beside those of the provider. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}
