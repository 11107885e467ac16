/** All providers: how each is reached, and where its key is looked for. */
import type { LanguageModel } from '../ports/language-model.ts'
import { createAnthropicModel, type AnthropicOptions } from './anthropic.ts'
import { createGeminiModel } from './gemini.ts'
import { createOpenAIChatModel } from './openai-chat.ts'
import type { OpenAIOptions } from './openai-client.ts'
import { createOpenAIResponsesModel, type OpenAIResponsesOptions } from './openai-responses.ts'

/** What the providers can be set to; each takes what it knows. */
export type AllOptions = Omit<AnthropicOptions, 'keyHeader'> &
  Omit<OpenAIResponsesOptions, 'keyHeader'> & {
    /** Where the key stands; default as the provider has it. */
    readonly keyHeader?: 'authorization' | 'x-api-key' | 'api-key' | undefined
  }

export interface ProviderEntry {
  /** What usage and prices call it, where that is another name. */
  readonly provider?: string
  /** What people call it. */
  readonly title: string
  /** Environment variables that may hold its key, the usual one first; none: it needs no key. */
  readonly keyNames: readonly string[]
  /** Of servers that are no service of the API's own maker; absent and not the maker's: it must be given. */
  readonly baseUrl?: string
  readonly needsBaseUrl?: true
  readonly create: (options: AllOptions) => LanguageModel
}

const anthropic = (options: AllOptions): LanguageModel =>
  createAnthropicModel({ ...options, keyHeader: options.keyHeader === 'x-api-key' ? 'x-api-key' : undefined })

/** The options with `keyHeader` only if it is one of OpenAI's. */
const openAIOptions = <O extends AllOptions>(options: O): Omit<O, 'keyHeader'> & Pick<OpenAIOptions, 'keyHeader'> => ({
  ...options,
  keyHeader: options.keyHeader === 'api-key' ? 'api-key' : undefined,
})
const responses = (options: AllOptions): LanguageModel => createOpenAIResponsesModel(openAIOptions(options))
const chat = (options: AllOptions): LanguageModel => createOpenAIChatModel(openAIOptions(options))

const gemini = (options: AllOptions): LanguageModel =>
  createGeminiModel({ ...options, keyHeader: options.keyHeader === 'authorization' ? 'authorization' : undefined })

/** By name. */
export const PROVIDERS: Readonly<Record<string, ProviderEntry>> = {
  anthropic: { title: 'Anthropic', keyNames: ['ANTHROPIC_API_KEY'], create: anthropic },
  openai: { title: 'OpenAI', keyNames: ['OPENAI_API_KEY'], create: responses },
  'openai-chat': { provider: 'openai', title: 'OpenAI', keyNames: ['OPENAI_API_KEY'], create: chat },
  google: { title: 'Google', keyNames: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'], create: gemini },
  azure: { title: 'Azure', keyNames: ['AZURE_OPENAI_API_KEY'], needsBaseUrl: true, create: responses },
  openrouter: {
    title: 'OpenRouter',
    keyNames: ['OPENROUTER_API_KEY'],
    baseUrl: 'https://openrouter.ai/api/v1',
    create: chat,
  },
  ollama: { title: 'Ollama', keyNames: [], baseUrl: 'http://localhost:11434/v1', create: chat },
  'lm-studio': { title: 'LM Studio', keyNames: [], baseUrl: 'http://localhost:1234/v1', create: chat },
  vllm: { title: 'vLLM', keyNames: [], baseUrl: 'http://localhost:8000/v1', create: chat },
}
