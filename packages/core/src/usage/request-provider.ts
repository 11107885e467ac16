/**
 * The provider that serves a request, for what is agreed with one: a subscription or a discount. What the transcript
 * recorded counts first, then the agent's own service, then the model's name.
 */
import { UNKNOWN_KEY } from './calendar.ts'
import { BEDROCK, LOCAL_PROVIDERS, VENDORS_BY_NAME, normalisedProvider, withoutVariant } from './model-spellings.ts'

/** What is recorded of a request that tells its provider. */
export interface RequestOrigin {
  /** As the agent names it; null where it is not recorded. */
  readonly provider: string | null
  readonly agent: string
  readonly model: string
}

/** Agents that send their requests to one service unless they record another. */
const SERVICE_OF_AGENT: ReadonlyMap<string, string> = new Map([
  ['claude-code', 'anthropic'],
  ['codex', 'openai'],
  ['copilot', 'github-copilot'],
  ['cursor', 'cursor'],
  ['gemini', 'google'],
  ['vscode', 'github-copilot'],
])

/** Providers that model names begin with; other beginnings may be anything. */
const PREFIXES: ReadonlySet<string> = new Set([
  'anthropic',
  'aws',
  'azure',
  'cerebras',
  'deepseek',
  'fireworks',
  'github-copilot',
  'google',
  'groq',
  'minimax',
  'mistral',
  'moonshotai',
  'openai',
  'openrouter',
  'together',
  'x-ai',
  'zai',
  ...LOCAL_PROVIDERS,
])

/** Vendors that a model's name alone tells. */
const VENDORS: readonly (readonly [RegExp, string])[] = [
  [/^claude\b/, 'anthropic'],
  [/^(?:gpt-|chatgpt|codex|o[1-9](?:$|-))/, 'openai'],
  [/^gemini\b/, 'google'],
  [/^grok\b/, 'x-ai'],
  [/^deepseek\b/, 'deepseek'],
  ...VENDORS_BY_NAME,
]

/** A provider's name as plans and requests are compared by: lower case, one name for each provider. */
export const providerName = (name: string): string => normalisedProvider(name.trim().toLowerCase())

/** The provider of a request, by its name in price lists (`anthropic`, `openai`, `aws`, …); `unknown` where nothing tells it. */
export const providerOfRequest = ({ provider, agent, model }: RequestOrigin): string => {
  const recorded = providerName(provider ?? '')
  if (recorded !== '') return recorded
  return SERVICE_OF_AGENT.get(agent) ?? providerOfModel(model) ?? UNKNOWN_KEY
}

/**
 * The provider that a model's name shows: by its prefix, else its vendor's, else `aws` for a name in Bedrock's form;
 * undefined if none does.
 */
const providerOfModel = (model: string): string | undefined => {
  const path = withoutVariant(model.trim().toLowerCase()).split('/').filter(Boolean)
  const name = path.at(-1) ?? ''
  const prefix = normalisedProvider(path[0] ?? '')
  if (path.length > 1 && PREFIXES.has(prefix)) return prefix
  const vendor = VENDORS.find(([pattern]) => pattern.test(name))?.[1]
  if (vendor !== undefined) return vendor
  return BEDROCK.test(name) && PREFIXES.has(BEDROCK.exec(name)?.[1] ?? '') ? 'aws' : undefined
}
