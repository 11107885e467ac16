/** For which providers the environment has a key. The keys themselves are never read into any answer. */
import { PROVIDERS } from '@cairn/core/providers'

/** Whether a provider's key is in the environment. */
export interface ProviderKey {
  /** Variables that may hold it, the usual one first. */
  readonly variables: readonly string[]
  /** The variable that holds it; null where none does. */
  readonly found: string | null
}

/** Of providers that Cairn makes no requests to itself, by their names in the price list. */
const OTHER_KEYS: Readonly<Record<string, readonly string[]>> = {
  google: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  'x-ai': ['XAI_API_KEY'],
  deepseek: ['DEEPSEEK_API_KEY'],
  mistral: ['MISTRAL_API_KEY'],
  groq: ['GROQ_API_KEY'],
}

/** The keys of all providers whose variables are known, by the provider's name in the price list. */
export const keysOf = (
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, ProviderKey>> => {
  const names = new Map(Object.entries(OTHER_KEYS))
  for (const [name, { provider = name, keyNames }] of Object.entries(PROVIDERS))
    if (keyNames.length > 0) names.set(provider, keyNames)
  return Object.fromEntries(
    [...names].map(([provider, variables]) => [
      provider,
      { variables, found: variables.find((name) => (environment[name] ?? '').trim() !== '') ?? null },
    ]),
  )
}
