/**
 * Opens the model that a command calls: its provider by the model's name, and the provider's key from where the user
 * stores it.
 */
import { CairnError, knownModels, nearestModels } from '@cairn/core'
import type { LanguageModel } from '@cairn/core'
import { PROVIDERS, createLanguageModel, findProviderKey } from '@cairn/core/providers'
import type { Context } from '../command.ts'
import { didYouMean } from '../options/close-matches.ts'
import { definedValues } from '../options/defined-values.ts'
import { neutraliseLine } from '../terminal/neutralise.ts'
import { openSecrets } from './open-secrets.ts'

/** The user's choice of model: its name, and the provider if it is not the model's own. */
export interface ModelChoice {
  readonly model: string
  /** One of {@link PROVIDERS}. */
  readonly provider?: string | undefined
  /** Of a compatible server. */
  readonly baseUrl?: string | undefined
}

/** A model that can be asked. */
export interface OpenedModel {
  readonly languageModel: LanguageModel
  /** The model's name for its provider, as requests have it. */
  readonly model: string
}

/** The API of a server that is only known by its address; most compatible servers have this one. */
const COMPATIBLE = 'openai-chat'
const CLAUDE = /^claude[-.]/i

/**
 * Returns a model that can be called; nothing is sent. Failed requests are retried, with `retry` events.
 * @throws CairnError `usage` for an unknown provider or model, `unsupported` for a model whose provider is not
 * supported, `auth` if a key is needed and not found; also the error of a stored key that can't be read
 */
export const openLanguageModel = async (
  choice: ModelChoice,
  context: Pick<Context, 'surroundings' | 'now' | 'terminal'>,
): Promise<OpenedModel> => {
  const { provider } = choice
  const name = provider === undefined ? await providerOf(choice, context.now()) : providerNamed(provider)
  const entry = PROVIDERS[name]
  if (entry === undefined) throw new CairnError('usage', `There is no provider '${neutraliseLine(name)}'.`)
  const { baseUrl } = choice
  const key = await findProviderKey(name, context.surroundings.variables, () => openSecrets(context))
  // A server of the user's own may need none; it says so itself where it does.
  if (key === undefined && entry.keyNames.length > 0 && baseUrl === undefined)
    throw new CairnError(
      'auth',
      `There is no key for ${entry.title}: keep one with cairn secret set ${entry.provider ?? name}, or set ${entry.keyNames.join(' or ')}.`,
    )
  return {
    languageModel: createLanguageModel({
      provider: name,
      ...(baseUrl === undefined ? {} : { baseUrl }),
      ...(key === undefined ? {} : { apiKey: key.value, keyName: key.keyName }),
    }),
    model: withoutGateway(choice.model, name),
  }
}

/**
 * The model that is set, served as the user says. An address that is set is that of the provider that is set with it, or that
 * the model has: another one's key does not go there. Rejects with `usage` for a provider that is not known.
 * @param at ms; the price list is that of this time
 */
export const servedBy = async (
  set: ModelChoice,
  { provider, baseUrl }: Pick<Partial<ModelChoice>, 'provider' | 'baseUrl'>,
  at: number,
): Promise<ModelChoice> => {
  const served = { ...set, ...definedValues({ provider, baseUrl }) }
  if (provider === undefined || baseUrl !== undefined || set.baseUrl === undefined) return served
  const own = set.provider === undefined ? await providerOf(set, at) : set.provider.trim().toLowerCase()
  return providerNamed(provider) === own ? served : { ...served, baseUrl: undefined }
}

/**
 * Returns the id of a provider, given in any case.
 * @throws CairnError `usage` if it is not known
 */
export const providerNamed = (provider: string): string => {
  const name = provider.trim().toLowerCase()
  if (Object.hasOwn(PROVIDERS, name)) return name
  const names = Object.keys(PROVIDERS)
  throw new CairnError(
    'usage',
    `There is no provider '${neutraliseLine(provider)}'.${didYouMean(name, names)} There are ${names.join(', ')}.`,
  )
}

/**
 * The provider of a model, by the price list or, with a base URL, by its name. Rejects with `usage` for an unknown
 * model, `unsupported` for a provider without support.
 */
const providerOf = async ({ model, baseUrl }: ModelChoice, at: number): Promise<string> => {
  const listed = (await knownModels({ at })).named(model).provider
  const own = Object.keys(PROVIDERS).find((name) => name === listed)
  if (own !== undefined) return own
  // Also one that the list does not know is asked as the others of its name are.
  if (baseUrl !== undefined) return CLAUDE.test(model) ? 'anthropic' : COMPATIBLE
  const shown = neutraliseLine(model)
  if (listed !== null)
    throw new CairnError(
      'unsupported',
      `${shown} is a model of ${listed}, which Cairn can't ask by itself: name who serves it with --provider (${Object.keys(PROVIDERS).join(', ')}), or a server with OpenAI's API with --base-url.`,
    )
  const nearest = (await nearestModels(model)).map((name) => neutraliseLine(name)).join(', ')
  throw new CairnError(
    'usage',
    `There is no model '${shown}' in the price list.${nearest === '' ? '' : ` Nearest: ${nearest}.`} If it is right, name who serves it with --provider or --base-url.`,
  )
}

/**
 * The model's name without the gateway's in front, as in `openrouter/anthropic/claude-opus-5`, which the gateway itself
 * does not expect.
 */
const withoutGateway = (model: string, provider: string): string =>
  model.toLowerCase().startsWith(`${provider}/`) ? model.slice(provider.length + 1) : model
