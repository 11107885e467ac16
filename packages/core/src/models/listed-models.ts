/**
 * All models of the price list of `@pydantic/genai-prices`, by provider. The list is large: nothing that a program starts
 * with may import this.
 */
import { calcPrice, findProvider, waitForUpdate } from '@pydantic/genai-prices'
import { parseModelName } from './parse-model-name.ts'

/** A provider of the price list. */
export interface ListedProvider {
  readonly id: string
  /** What people call it. */
  readonly title: string
  readonly models: readonly ListedModelName[]
}

interface ListedModelName {
  /** As requests name it. */
  readonly id: string
  /** The provider means to take it away, or has. */
  readonly isDeprecated: boolean
}

/** All providers of the list that comes with Cairn, in its order; nothing is fetched. */
export const listedProviders = async (): Promise<readonly ListedProvider[]> =>
  ((await waitForUpdate()) ?? []).map(({ id, name, models }) => ({
    id,
    title: name,
    models: models.map((model) => ({ id: model.id, isDeprecated: model.deprecated === true })),
  }))

/**
 * The list's provider of a model that is only named, in any letter case; undefined where the list has none. For a name
 * such as `openrouter/…` it is the gateway that bills it.
 */
export const listedProviderOf = (model: string): string | undefined => {
  const path = model.trim().toLowerCase().split('/')
  // A name such as `openrouter/anthropic/claude-opus-5` begins with the gateway that bills it.
  const gateway = path.length > 1 ? findProvider({ providerId: path[0] ?? '' })?.id : undefined
  if (gateway !== undefined) return gateway
  for (const name of parseModelName(model).names) {
    const found = calcPrice({ input_tokens: 0 }, name, { timestamp: new Date(0) })
    if (found !== null) return found.provider.id
  }
  return undefined
}
