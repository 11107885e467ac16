/** Reads CLIO's settings from its `config.json`. */
import { isJsonObject, stringOf } from '../json.ts'
import type { JsonObject, JsonValue } from '../json.ts'
import type { LegacySecret, LegacySetting, Understood } from './legacy-parts.ts'

/** CLIO's providers that are supported here. */
const PROVIDERS: ReadonlyMap<string, string> = new Map([
  ['anthropic', 'anthropic'],
  ['openai', 'openai-chat'],
  ['google', 'google'],
  ['openrouter', 'openrouter'],
  ['lmstudio', 'lm-studio'],
  ['ollama', 'ollama'],
])
/** Those that have a key. */
const KEYED: ReadonlyMap<string, string> = new Map([
  ['anthropic', 'anthropic'],
  ['openai', 'openai'],
  ['google', 'google'],
  ['openrouter', 'openrouter'],
])

/**
 * Converts CLIO's settings that have a counterpart here: settings, secrets, and `names`, those that were understood.
 * For an unknown provider, model and addresses are skipped, too.
 */
export const clioSettings = (values: JsonObject): Understood => {
  const settings: LegacySetting[] = []
  const names = new Set<string>()
  const take = (from: string, name: LegacySetting['name'], value: JsonValue): void => {
    settings.push({ from, name, value })
    names.add(from)
  }
  const given = stringOf(values['provider'])
  const provider = PROVIDERS.get(given ?? '')
  if (provider !== undefined) {
    take('provider', 'provider', provider)
    const model = stringOf(values['model'])
    // CLIO writes its provider before the model's name.
    if (model !== undefined)
      take('model', 'model', model.startsWith(`${given}/`) ? model.slice(`${given}/`.length) : model)
    const bases = isJsonObject(values['api_bases']) ? values['api_bases'] : {}
    const base = stringOf(values['api_base'])
    const ofProvider = given === undefined ? undefined : stringOf(bases[given])
    if (base !== undefined) take('api_base', 'baseUrl', base)
    // The other addresses in it are kept aside.
    else if (ofProvider !== undefined) settings.push({ from: `api_bases.${given}`, name: 'baseUrl', value: ofProvider })
  }
  const limit = values['max_iterations']
  if (typeof limit === 'number' && Number.isInteger(limit) && limit > 0)
    take('max_iterations', 'approvals.maximumRequests', limit)
  return { settings, secrets: secretsOf(values, names), favourites: [], names }
}

/**
 * Keys of known providers, one for each: those in `api_keys`, then the active provider's own unless it is among them.
 * Adds the names of the values that it took to `names`.
 */
const secretsOf = (values: JsonObject, names: Set<string>): readonly LegacySecret[] => {
  const secrets: LegacySecret[] = []
  const keys = isJsonObject(values['api_keys']) ? values['api_keys'] : {}
  for (const [name, value] of Object.entries(keys)) {
    const [provider, key] = [KEYED.get(name), stringOf(value)]
    if (provider === undefined || key === undefined) continue
    secrets.push({ from: `api_keys.${name}`, provider, value: key })
    names.add(`api_keys.${name}`)
  }
  const provider = KEYED.get(stringOf(values['provider']) ?? '')
  const key = stringOf(values['api_key'])
  if (provider !== undefined && key !== undefined) {
    names.add('api_key')
    if (!secrets.some((secret) => secret.provider === provider)) secrets.push({ from: 'api_key', provider, value: key })
  }
  return secrets
}
