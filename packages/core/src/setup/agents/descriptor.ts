/** What setup knows of an agent. */
import type { Machine } from '../machine.ts'
import type { CairnProgram } from '../program.ts'
import type { Target } from '../target.ts'

/** Agents by the names that the command line takes. */
export type SetupAgent =
  'claude-code' | 'codex' | 'gemini' | 'copilot' | 'opencode' | 'cline' | 'roo' | 'cursor' | 'vscode' | 'pi'

/** One installation of an agent: a command-line agent has one, an extension one in each editor. */
export interface Installation {
  /** Files or folders that only an agent that was used leaves behind; any of them is enough. */
  readonly evidence: readonly string[]
  readonly targets: (program: CairnProgram) => readonly Target[]
}

/** A setting by which an agent deletes its histories. */
export interface HistoryLimit {
  readonly path: string
  /** As the user writes it. */
  readonly setting: string
  /** Days until histories are deleted, by the text of the settings; null where they are kept. */
  readonly days: (settings: string) => number | null
}

/** A setting by which an agent runs no hooks of its user, whatever is set up. */
export interface HooksSwitch {
  readonly path: string
  /** As it is written in the file. */
  readonly setting: string
  /** By the text of the file. */
  readonly isOff: (settings: string) => boolean
}

/** Where an agent says which of its plugins are active. */
interface PluginList {
  readonly path: string
  /** Whether Cairn's plugin is, by the text of the file. */
  readonly isActive: (settings: string) => boolean
}

export interface AgentDescriptor {
  readonly agent: SetupAgent
  readonly name: string
  /** The command that starts it, where it has one. */
  readonly program?: string
  /** The first one is set up where an agent is named and none is found. */
  readonly installations: (machine: Machine) => readonly Installation[]
  /** What the person still has to do, as sentences. */
  readonly afterwards: readonly string[]
  /** What this agent has no way for, or none that is known to work, as sentences. */
  readonly missing: readonly string[]
  /** Settings that switch all hooks off. */
  readonly switches?: (machine: Machine) => readonly HooksSwitch[]
  /** Where Cairn can be a plugin of the agent, too. */
  readonly plugins?: (machine: Machine) => PluginList
  readonly history?: (machine: Machine) => HistoryLimit
  /** The file in which the agent keeps which hooks its user trusts, and the file with the hooks. */
  readonly trust?: (machine: Machine) => { readonly state: string; readonly hooks: string }
}
