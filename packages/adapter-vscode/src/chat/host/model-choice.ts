/** Which model a mode asks, and how it is opened: as it was chosen here, else as the store's settings say. */
import { CairnError, knownModels } from '@cairn/core'
import type { Engine, LanguageModel } from '@cairn/core'
import type { AgentMode } from '@cairn/core/agent'
import { PROVIDERS, createLanguageModel, type FoundKey } from '@cairn/core/providers'
import type { SettingValue } from '@cairn/core/state'
import { z } from 'zod'

/** A model, and the provider that serves it. */
export interface ModelChoice {
  readonly model: string
  /** One of `PROVIDERS`. */
  readonly provider: string
  /** Of a compatible server. */
  readonly baseUrl?: string
}

const choiceSchema = z.object({
  model: z.string().min(1),
  provider: z.string().refine((name) => Object.hasOwn(PROVIDERS, name)),
  baseUrl: z.string().optional(),
})

/**
 * Returns a choice that was stored earlier; undefined if the value is not one, such as of a provider that no longer
 * exists.
 */
export const keptChoice = (value: unknown): ModelChoice | undefined => {
  const { success, data } = choiceSchema.safeParse(value)
  if (!success) return undefined
  const { baseUrl, ...choice } = data
  return baseUrl === undefined ? choice : { ...choice, baseUrl }
}

/** Returns a choice as the page shows it, `model · provider`; not made safe to show. */
export const choiceText = ({ model, provider }: ModelChoice): string => {
  const title = PROVIDERS[provider]?.title ?? provider
  return `${model} · ${title}`
}

/**
 * Returns the model that the store's settings name for a mode (in plan mode the plan model first); undefined if they
 * name none that can be used. The provider is the one set in the same scope (`plan.provider` for a plan model), else the model's
 * known one, else, with a base URL, which a plan model never has, `openai-chat`. Rejects as the settings do.
 */
export const settingsChoice = async (
  { settings }: Pick<Engine, 'settings'>,
  mode: AgentMode,
  workspace: string,
): Promise<ModelChoice | undefined> => {
  const get = (name: Parameters<Engine['settings']['get']>[0]) => settings.get(name, { workspace })
  const textOf = ({ value }: SettingValue): string | undefined => (typeof value === 'string' ? value : undefined)
  const planned = mode === 'plan' ? textOf(await get('plan.model')) : undefined
  const set = await get('model')
  const model = planned ?? textOf(set)
  if (model === undefined) return undefined
  // Who serves a model is set where the model is: the address of another one would be given its provider's key.
  const beside = (setting: SettingValue): string | undefined =>
    setting.from === set.from ? textOf(setting) : undefined
  const given = planned === undefined ? beside(await get('provider')) : textOf(await get('plan.provider'))
  const baseUrl = planned === undefined ? beside(await get('baseUrl')) : undefined
  const listed = (await knownModels({ at: Date.now() })).named(model).provider
  const provider = given ?? listed ?? (baseUrl === undefined ? undefined : 'openai-chat')
  return keptChoice({ model, provider, ...(baseUrl === undefined ? {} : { baseUrl }) })
}

/**
 * Returns the language model of a choice, ready for requests, and the model's name without the provider before it;
 * nothing is sent yet.
 * @throws CairnError `usage` for an unknown provider, `auth` without a key, if one is needed and there is no `baseUrl`
 */
export const openChoice = (
  { provider, model, baseUrl }: ModelChoice,
  key: FoundKey | undefined,
): { readonly languageModel: LanguageModel; readonly model: string } => {
  const entry = PROVIDERS[provider]
  if (entry === undefined) throw new CairnError('usage', `There is no provider "${provider}" any more; choose a model.`)
  if (key === undefined && entry.keyNames.length > 0 && baseUrl === undefined)
    throw new CairnError(
      'auth',
      `There is no key for ${entry.title}: set one here, or ${entry.keyNames.join(' or ')} in the environment.`,
    )
  return {
    languageModel: createLanguageModel({
      provider,
      ...(baseUrl === undefined ? {} : { baseUrl }),
      ...(key === undefined ? {} : { apiKey: key.value, keyName: key.keyName }),
    }),
    // A name such as `openrouter/anthropic/claude-opus-5` begins with the gateway, which itself does not expect that.
    model: model.toLowerCase().startsWith(`${provider}/`) ? model.slice(provider.length + 1) : model,
  }
}
