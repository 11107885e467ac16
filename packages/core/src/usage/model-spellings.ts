/**
 * The names under which a price list may know a model. Agents write a model's name as their provider's API expects it:
 * with the path of a vendor or gateway or a region in front, and a version or a window size after it. This lists the
 * spellings to look up, closest to the written name first.
 */

/**
 * A model name to look up, with a provider of the price list, or undefined to let the list find the provider by name.
 */
export interface ModelSpelling {
  readonly provider: string | undefined
  readonly model: string
}

/** The price list's ids for providers that agents name differently. */
const PROVIDER_NAMES: Readonly<Record<string, string>> = {
  bedrock: 'aws',
  'amazon-bedrock': 'aws',
  vertex: 'google',
  vertex_ai: 'google',
  'google-vertex': 'google',
  'google-vertex-anthropic': 'google',
  gemini: 'google',
  'gemini-cli': 'google',
  'openai-native': 'openai',
  'openai-codex': 'openai',
  codex: 'openai',
  'claude-code': 'anthropic',
  xai: 'x-ai',
  moonshot: 'moonshotai',
  'z-ai': 'zai',
  copilot: 'github-copilot',
}

/** Programs that run models on the user's own machine: no charge per token. */
export const LOCAL_PROVIDERS: ReadonlySet<string> = new Set([
  'ollama',
  'lmstudio',
  'lm-studio',
  'llamacpp',
  'llama.cpp',
  'llama-cpp',
  'local',
])

/** Vendors whose model names the list does not find unless the vendor is given. */
export const VENDORS_BY_NAME: readonly (readonly [RegExp, string])[] = [
  [/^glm-/, 'zai'],
  [/^kimi-/, 'moonshotai'],
  [/^minimax/, 'minimax'],
  [/^(mistral|codestral|devstral|magistral)/, 'mistral'],
]

/** A name as Amazon Bedrock writes it: a vendor, the vendor's name and perhaps a region and a version. */
export const BEDROCK = /^(?:(?:us|eu|apac|global|jp|au|ca|us-gov)\.)?([a-z0-9]+)\.(.+?)(?:-v\d+(?::\d+)?(?::\d+k)?)?$/
const VARIANT = /(?:\[[^\]]*\]|:(?:thinking|beta|extended|online|nitro|exacto|latest))$/

/** The name without suffixes for a window or call type that has no price of its own. `:free` has one, so it stays. */
export const withoutVariant = (model: string): string => {
  const shorter = model.replace(VARIANT, '')
  return shorter === model ? model : withoutVariant(shorter)
}

/** A provider in lower case by its id of the price list, where an agent names it differently: `gemini` is `google`. */
export const normalisedProvider = (provider: string): string => PROVIDER_NAMES[provider] ?? provider

/**
 * Spellings of a model to look up, in order; empty for a model on the user's own machine, and for a blank name.
 * @param model as named in the transcript, e.g. `us.anthropic.claude-sonnet-4-5-20250929-v1:0`
 * @param provider as named by the agent, e.g. `openai-native`
 */
export const modelSpellings = (model: string, provider?: string): readonly ModelSpelling[] => {
  const written = withoutVariant(model.trim().toLowerCase())
  const told = provider?.trim().toLowerCase()
  const path = written.split('/').filter((part) => part !== '')
  const name = path.at(-1) ?? ''
  if (name === '' || [told, path[0]].some((part) => part !== undefined && LOCAL_PROVIDERS.has(part))) return []
  const spellings: ModelSpelling[] = []
  if (told !== undefined && told !== '') {
    spellings.push(
      { provider: normalisedProvider(told), model: written },
      { provider: normalisedProvider(told), model: name },
    )
  }
  // A gateway prices what passes through it: `openrouter/anthropic/claude-…`.
  for (const [index, part] of path.slice(0, -1).entries()) {
    spellings.push({ provider: normalisedProvider(part), model: path.slice(index + 1).join('/') })
  }
  spellings.push({ provider: undefined, model: written }, { provider: undefined, model: name })
  const bedrock = BEDROCK.exec(name)
  if (bedrock !== null) {
    spellings.push(
      { provider: 'aws', model: name },
      { provider: normalisedProvider(bedrock[1] ?? ''), model: bedrock[2] ?? '' },
    )
  }
  for (const [pattern, vendor] of VENDORS_BY_NAME)
    if (pattern.test(name)) spellings.push({ provider: vendor, model: name })
  if (path.length > 1) spellings.push({ provider: 'openrouter', model: path.slice(-2).join('/') })
  return spellings
}
