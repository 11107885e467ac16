/** A request as attributes of OpenTelemetry's conventions for generative AI; what they have no name for is called `cairn.`. */
import { usdFromNano } from '../../money.ts'
import { TOKEN_CLASSES, cacheWriteTokens, tokenCount, type TokenUsage } from '../../ports/price-book.ts'
import type { RequestFact } from '../../ports/usage-storage.ts'
import type { Attributes, AttributeValue } from './span.ts'

const INPUTS = TOKEN_CLASSES.filter(({ isInput }) => isInput)

/** Cache writes by lifetime, which the conventions count together. */
const WRITES = TOKEN_CLASSES.filter(({ costPart }) => costPart === 'cacheWriteNano')

/** All input of a request: the conventions count what the cache gave and took as part of it. */
export const inputTokensOf = (usage: TokenUsage): number =>
  INPUTS.reduce((sum, { field }) => sum + tokenCount(usage, field), 0)

/** Names of providers that the conventions have under another name. */
const PROVIDERS: ReadonlyMap<string, string> = new Map([
  ['google', 'gcp.gemini'],
  ['gemini', 'gcp.gemini'],
  ['google-vertex', 'gcp.vertex_ai'],
  ['vertex', 'gcp.vertex_ai'],
  ['bedrock', 'aws.bedrock'],
  ['amazon-bedrock', 'aws.bedrock'],
  ['azure', 'azure.ai.openai'],
  ['mistral', 'mistral_ai'],
  ['xai', 'x_ai'],
])

/**
 * What a request asked, of whom: the attributes that metrics have, too. A provider that is not known by name is given
 * as it is; without one it is `unknown`.
 */
export const modelAttributes = ({ model, provider }: Pick<RequestFact, 'model' | 'provider'>): Attributes => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': provider === undefined ? 'unknown' : (PROVIDERS.get(provider) ?? provider),
  'gen_ai.request.model': model,
  'gen_ai.response.model': model,
})

/**
 * Tokens by class, the cost (where there is a price), the time to the first chunk (s), and the attempt where it was not
 * the first. Classes of cache writes and reasoning only where there are any.
 */
export const usageAttributes = (request: RequestFact): Attributes => {
  const { costNano, costState, latency, attempt, reasoningTokens = 0 } = request
  const attributes: Record<string, AttributeValue> = {
    'gen_ai.usage.input_tokens': inputTokensOf(request),
    'gen_ai.usage.output_tokens': request.outputTokens,
    'gen_ai.usage.cache_read.input_tokens': request.cacheReadTokens,
    'gen_ai.usage.cache_creation.input_tokens': cacheWriteTokens(request),
    'cairn.cost.state': costState,
  }
  // 0 is also what is stored where nobody told.
  if (reasoningTokens > 0) attributes['gen_ai.usage.reasoning.output_tokens'] = reasoningTokens
  for (const { column, field } of WRITES) {
    const tokens = tokenCount(request, field)
    if (tokens > 0) attributes[`cairn.usage.${column}.input_tokens`] = tokens
  }
  if (costNano !== null) {
    attributes['cairn.cost.usd'] = usdFromNano(costNano)
    attributes['cairn.cost.nano_usd'] = Number(costNano)
  }
  if (latency !== undefined) attributes['gen_ai.response.time_to_first_chunk'] = latency.firstTokenMs / 1_000
  if (attempt !== undefined && attempt > 1) attributes['cairn.request.attempt'] = attempt
  return attributes
}
