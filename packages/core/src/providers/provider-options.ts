/** What every provider can be set to. */
import type { ReplyTimes } from './shared/reply-stream.ts'

export interface ProviderOptions extends ReplyTimes {
  readonly apiKey?: string | undefined
  /** Where the key was looked for, for messages: `ANTHROPIC_API_KEY`. */
  readonly keyName?: string | undefined
  /** Of a compatible server; default the provider's own. */
  readonly baseUrl?: string | undefined
  /** Sent with every request, beside those of the provider. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}
