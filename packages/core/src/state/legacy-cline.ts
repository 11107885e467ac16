/**
 * Reads Cline's settings: its global and workspace state and its secrets, as JSON. In older versions, which had one
 * model for both modes, the current model counts for plan mode and the previous one for act mode, unless both modes
 * used the same.
 */
import { isJsonObject, stringOf } from '../json.ts'
import type { JsonObject, JsonValue } from '../json.ts'
import type { LegacySecret, LegacySetting, Understood } from './legacy-parts.ts'
import type { StoredSettingName } from './setting-names.ts'

interface ClineProvider {
  readonly provider: string
  /** How the name of its model setting ends. */
  readonly model: string
  readonly baseUrl?: string
}

const PROVIDERS: ReadonlyMap<string, ClineProvider> = new Map([
  ['anthropic', { provider: 'anthropic', model: 'ApiModelId', baseUrl: 'anthropicBaseUrl' }],
  ['openai-native', { provider: 'openai', model: 'ApiModelId' }],
  ['openai', { provider: 'openai-chat', model: 'OpenAiModelId', baseUrl: 'openAiBaseUrl' }],
  ['gemini', { provider: 'google', model: 'ApiModelId', baseUrl: 'geminiBaseUrl' }],
  ['openrouter', { provider: 'openrouter', model: 'OpenRouterModelId' }],
  ['ollama', { provider: 'ollama', model: 'OllamaModelId', baseUrl: 'ollamaBaseUrl' }],
  ['lmstudio', { provider: 'lm-studio', model: 'LmStudioModelId', baseUrl: 'lmStudioBaseUrl' }],
])

const SECRETS: ReadonlyMap<string, string> = new Map([
  ['apiKey', 'anthropic'],
  ['openAiNativeApiKey', 'openai'],
  ['geminiApiKey', 'google'],
  ['openRouterApiKey', 'openrouter'],
])

const RULES = [
  'globalClineRulesToggles',
  'localClineRulesToggles',
  'localCursorRulesToggles',
  'localWindsurfRulesToggles',
]
const WORKFLOWS = ['globalWorkflowToggles', 'workflowToggles']

const APPROVALS: readonly (readonly [action: string, name: StoredSettingName])[] = [
  ['readFiles', 'approvals.read'],
  ['editFiles', 'approvals.edit'],
  ['executeSafeCommands', 'approvals.command'],
  ['useBrowser', 'approvals.browser'],
  ['useMcp', 'approvals.mcp'],
]

/**
 * Converts Cline's settings that have a counterpart here: settings, secrets, favourites, and `names`, those that were
 * understood. A value with an unexpected type is neither converted nor named.
 */
export const clineSettings = (values: JsonObject): Understood => {
  const reader = new Reader(values)
  takeModels(reader)
  reader.take('mode', 'mode', (value) => (value === 'plan' || value === 'act' ? value : undefined))
  reader.take('preferredLanguage', 'language', stringOf)
  takeApprovals(reader)
  takeTodo(reader)
  takeSwitches(reader, RULES, 'rules')
  takeSwitches(reader, WORKFLOWS, 'workflows')
  return {
    settings: reader.settings,
    secrets: takeSecrets(reader),
    favourites: takeFavourites(reader),
    names: reader.names,
  }
}

class Reader {
  readonly values: JsonObject
  readonly settings: LegacySetting[] = []
  readonly names = new Set<string>()

  constructor(values: JsonObject) {
    this.values = values
  }

  /** Adds a setting, and notes its name in the file as understood. */
  add(from: string, name: StoredSettingName, value: JsonValue): void {
    this.settings.push({ from, name, value })
    this.names.add(from)
  }

  /** Converts a setting if its value is meaningful. Nothing where `read` gives undefined. */
  take(from: string, name: StoredSettingName, read: (value: JsonValue) => JsonValue | undefined): void {
    const given = this.values[from]
    const value = given === undefined ? undefined : read(given)
    if (value !== undefined) this.add(from, name, value)
  }
}

/** The names in the file for the provider and model of a mode. */
interface ModeNames {
  readonly provider: string
  readonly model: (ending: string) => string
}

/** Cline's names for the model of a mode. */
const modeNames = (mode: 'plan' | 'act'): ModeNames => ({
  provider: `${mode}ModeApiProvider`,
  model: (ending) => `${mode}Mode${ending}`,
})
/** Names in versions with one model for both modes. */
const PRESENT: ModeNames = {
  provider: 'apiProvider',
  model: (ending) => `${ending.charAt(0).toLowerCase()}${ending.slice(1)}`,
}
const PREVIOUS: ModeNames = { provider: 'previousModeApiProvider', model: () => 'previousModeModelId' }

/**
 * The models of both modes. Versions with names for one only: that is the one of both, unless the two are separate and
 * the model of the former mode is there, which is then that of `act`. Nothing without a provider.
 */
const takeModels = (reader: Reader): void => {
  const { values } = reader
  const has = ({ provider }: ModeNames): boolean => stringOf(values[provider]) !== undefined
  if (has(modeNames('act')) || has(modeNames('plan'))) {
    takeModel(reader, modeNames('act'), 'act')
    takeModel(reader, modeNames('plan'), 'plan')
    return
  }
  if (!has(PRESENT)) return
  const isOne = values['planActSeparateModelsSetting'] === false || !has(PREVIOUS)
  takeModel(reader, isOne ? PRESENT : PREVIOUS, 'act')
  takeModel(reader, PRESENT, 'plan')
}

/** Model and provider of a mode, and for `act` also the provider's address; nothing if the provider is unknown here. */
const takeModel = (reader: Reader, names: ModeNames, mode: 'plan' | 'act'): void => {
  const known = PROVIDERS.get(stringOf(reader.values[names.provider]) ?? '')
  if (known === undefined) return
  const prefix = mode === 'plan' ? 'plan.' : ''
  reader.add(names.provider, `${prefix}provider` as StoredSettingName, known.provider)
  const model = names.model(known.model)
  reader.take(model, `${prefix}model` as StoredSettingName, stringOf)
  if (mode === 'act' && known.baseUrl !== undefined) reader.take(known.baseUrl, 'baseUrl', stringOf)
}

/**
 * What may be done without asking. Where approval was switched off as a whole, all actions are false; one that is no
 * boolean, and a maximum that is no whole number above 0, are left out. Nothing where there are no such settings.
 */
const takeApprovals = (reader: Reader): void => {
  const from = 'autoApprovalSettings'
  const given = reader.values[from]
  if (!isJsonObject(given)) return
  const actions = isJsonObject(given.actions) ? given.actions : {}
  // Switched off as a whole, none of them holds.
  const isOn = given.enabled !== false
  for (const [action, name] of APPROVALS) {
    const value = actions[action]
    if (typeof value === 'boolean') reader.settings.push({ from: `${from}.${action}`, name, value: isOn && value })
  }
  const most = given.maxRequests
  if (typeof most === 'number' && Number.isInteger(most) && most > 0)
    reader.settings.push({ from: `${from}.maxRequests`, name: 'approvals.maximumRequests', value: most })
}

/** The settings of the todo list. Those that are not valid are left out. */
const takeTodo = (reader: Reader): void => {
  const from = 'focusChainSettings'
  const given = reader.values[from]
  if (!isJsonObject(given)) return
  const { enabled, remindClineInterval: every } = given
  if (typeof enabled === 'boolean')
    reader.settings.push({ from: `${from}.enabled`, name: 'todo.enabled', value: enabled })
  if (typeof every === 'number' && Number.isInteger(every) && every > 0)
    reader.settings.push({ from: `${from}.remindClineInterval`, name: 'todo.remindEvery', value: every })
}

/**
 * Merges several lists of files into one; paths distinguish them. Of the same file the last list counts; a list that is
 * not valid is left out.
 */
const takeSwitches = (reader: Reader, names: readonly string[], name: StoredSettingName): void => {
  const found: Record<string, boolean> = {}
  const taken: string[] = []
  for (const from of names) {
    const files = reader.values[from]
    if (!isJsonObject(files)) continue
    const entries = Object.entries(files)
    if (!entries.every(([file, isOn]) => typeof isOn === 'boolean' && file !== '' && file !== '__proto__')) continue
    for (const [file, isOn] of entries) found[file] = isOn === true
    taken.push(from)
    reader.names.add(from)
  }
  if (Object.keys(found).length > 0) reader.settings.push({ from: taken.join(', '), name, value: found })
}

/** Keys of Anthropic, OpenAI, Google and OpenRouter, by their names in the file; others are not taken here. */
const takeSecrets = (reader: Reader): readonly LegacySecret[] => {
  const secrets: LegacySecret[] = []
  for (const [from, provider] of SECRETS) {
    const value = stringOf(reader.values[from])
    if (value === undefined) continue
    reader.names.add(from)
    secrets.push({ from, provider, value })
  }
  return secrets
}

/**
 * The ids of favourite tasks. Nothing else is taken: an import reads the history itself, because tasks have their own
 * folders.
 */
const takeFavourites = (reader: Reader): readonly string[] => {
  const history = reader.values['taskHistory']
  if (!Array.isArray(history)) return []
  reader.names.add('taskHistory')
  return history.flatMap((task: JsonValue) => {
    const id = isJsonObject(task) && task.isFavorited === true ? stringOf(task.id) : undefined
    return id === undefined ? [] : [id]
  })
}
