/**
 * The settings that hooks and the status line heed, read without a checker: the one of `cairn config` takes longer to load
 * than a hook may run. A value of another kind than is expected counts as not given; `cairn config` names it.
 */
import { readFileSync } from 'node:fs'
import { isJsonObject, type JsonObject, type JsonValue } from '@cairn/core'
import { chooseStore, mayUseStore, settingsPaths } from '@cairn/core/node'
import type { Surroundings } from '@cairn/core/node'

/** The settings that hooks depend on. */
export interface HookSettings {
  /** The store's address; undefined where a workspace names one that the user has not trusted. */
  readonly store: string | undefined
  /** Whether hooks do anything at all. */
  readonly isEnabled: boolean
  /** Whether a session is given profile, memory and past sessions. */
  readonly givesContext: boolean
  readonly recalls: boolean
  readonly imports: boolean
  /** Whether an agent is told at a prompt which files changed since it read them. */
  readonly tellsChanges: boolean
  /** Whether the user is told, at a session's start, of new suggestions for the memory. */
  readonly tellsSuggestions: boolean
  /** Whether a checkpoint of the project is made at each prompt and after each turn. */
  readonly makesCheckpoints: boolean
  /** By the environment; what the settings say of it is asked where imports ask, too. */
  readonly isIncognito: boolean
  readonly timeZone: string | undefined
  readonly segments: readonly string[] | undefined
  /** USD. */
  readonly budgetDay: number | undefined
  readonly budgetMonth: number | undefined
}

const OFF = new Set(['off', '0', 'false', 'no'])

/** Whether an environment variable is set and not off. */
const isOn = (value: string | undefined): boolean =>
  value !== undefined && value !== '' && !OFF.has(value.toLowerCase())

/** Returns the settings in a file; empty if it is missing or damaged. */
const readFile = (path: string): JsonObject => {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}

/** Whether a value is a list of texts. */
const isTexts = (value: JsonValue | undefined): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')

/**
 * Returns the settings in force for the surroundings' folder; the workspace's override the user's. `flag` is the value
 * of `--store`. Files that can't be read count as empty. Never throws. `store` is undefined where the project names one
 * that the user does not trust.
 */
export const readHookSettings = (surroundings: Surroundings, flag: string | undefined): HookSettings => {
  const { variables } = surroundings
  const sources = settingsPaths(surroundings).map((settingsPath) => ({
    settingsPath,
    config: readFile(settingsPath.file),
  }))
  /**
   * Returns the value at a path such as `hooks.recall`, of the first file in which `accept` takes it, as `accept` returns
   * it; undefined if none has such a value.
   */
  const setting = <T>(path: string, accept: (value: JsonValue | undefined) => T | undefined): T | undefined => {
    const [first = '', second] = path.split('.')
    for (const { config } of sources) {
      const outer = config[first]
      const found = accept(second === undefined ? outer : isJsonObject(outer) ? outer[second] : undefined)
      if (found !== undefined) return found
    }
    return undefined
  }
  const flagSetting = (path: string): boolean | undefined =>
    setting(path, (value) => (typeof value === 'boolean' ? value : undefined))
  const amount = (path: string): number | undefined =>
    setting(path, (value) => (typeof value === 'number' && value > 0 ? value : undefined))
  const choice = chooseStore(
    surroundings,
    sources.map(({ config, settingsPath }) => ({
      settingsPath,
      store: typeof config['store'] === 'string' ? config['store'] : undefined,
    })),
    flag,
  )
  const trusted = sources.find(({ settingsPath }) => settingsPath.from === 'user')?.config['trustedStores']
  return {
    store: mayUseStore(choice, { trustedStores: isTexts(trusted) ? trusted : [] }) ? choice.address : undefined,
    isEnabled: !OFF.has(variables['CAIRN_HOOKS']?.toLowerCase() ?? '') && flagSetting('hooks.enabled') !== false,
    givesContext: flagSetting('hooks.context') !== false,
    recalls: flagSetting('hooks.recall') !== false,
    imports: flagSetting('hooks.import') !== false,
    tellsChanges: flagSetting('hooks.changes') !== false,
    tellsSuggestions: flagSetting('hooks.suggestions') !== false,
    makesCheckpoints: flagSetting('hooks.checkpoints') === true && flagSetting('checkpoints.enabled') !== false,
    isIncognito: isOn(variables['CAIRN_INCOGNITO']),
    timeZone: setting('timezone', (value) => (typeof value === 'string' ? value : undefined)),
    segments: setting('statusline.segments', (value) => (isTexts(value) ? value : undefined)),
    budgetDay: amount('budget.day'),
    budgetMonth: amount('budget.month'),
  }
}
