/** The settings in the store, by name. Separate from their schemas, which take longer to load. */
import type { StateTier } from '../ports/state-storage.ts'

export interface SettingName {
  readonly what: string
  readonly tiers: readonly StateTier[]
  /** Whether Cairn's own commands use it; the others are for agents built on Cairn. */
  readonly isUsed: boolean
}

const EVERYWHERE: readonly StateTier[] = ['global', 'workspace', 'session']
const PROJECTS: readonly StateTier[] = ['global', 'workspace']

const used = (what: string, tiers = EVERYWHERE): SettingName => ({ what, tiers, isUsed: true })
const forAgents = (what: string): SettingName => ({ what, tiers: EVERYWHERE, isUsed: false })

/** In display order. */
export const STORED_SETTINGS = {
  model: used('the model that is asked where none is named'),
  provider: used('who serves that model, such as openrouter or ollama'),
  baseUrl: used('the address of a compatible server for it'),
  language: used('the language that a model answers in'),
  'plan.model': used("the model of an agent's plan mode"),
  'plan.provider': used('who serves it'),
  mode: used("an agent's mode: plan or act"),
  'approvals.read': forAgents('reading files needs no approval'),
  'approvals.edit': used('editing files of the project needs no approval'),
  'approvals.command': forAgents('commands that are known to be safe need no approval'),
  'approvals.browser': forAgents('the browser needs no approval'),
  'approvals.mcp': forAgents('MCP tools need no approval'),
  'approvals.maximumRequests': used('requests in a row that change something without asking'),
  'todo.enabled': forAgents('an agent keeps a todo list'),
  'todo.remindEvery': forAgents('requests between two reminders of the todo list'),
  rules: used('files of rules, each on or off', PROJECTS),
  workflows: used('files of workflows, each on or off', PROJECTS),
} as const satisfies Readonly<Record<string, SettingName>>

export type StoredSettingName = keyof typeof STORED_SETTINGS

/** Whether a name is a stored setting; case-sensitive. */
export const isStoredSetting = (name: string): name is StoredSettingName => Object.hasOwn(STORED_SETTINGS, name)
