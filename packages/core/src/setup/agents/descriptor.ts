/** What setup needs to know about an agent. */
import type { Machine } from '../machine.ts'
import type { CairnProgram } from '../program.ts'
import type { Target } from '../target.ts'

/** Agents by their names on the command line. */
export type SetupAgent =
  'claude-code' | 'codex' | 'gemini' | 'copilot' | 'opencode' | 'cline' | 'roo' | 'cursor' | 'vscode' | 'pi'

/** One installation of an agent: a command-line agent has one, an extension one in each editor. */
export interface Installation {
  /** Files or folders that only a used agent leaves behind; any one of them is enough. */
  readonly evidence: readonly string[]
  readonly targets: (program: CairnProgram) => readonly Target[]
}

/** A setting that makes an agent delete its histories. */
export interface HistoryLimit {
  readonly path: string
  /** As the user writes it. */
  readonly setting: string
  /** Days until histories are deleted, given the text of the settings; null if they are kept. */
  readonly days: (settings: string) => number | null
}

/** A setting that makes an agent ignore all of its user's hooks. */
export interface HooksSwitch {
  readonly path: string
  /** As written in the file. */
  readonly setting: string
  /** Given the text of the file. */
  readonly isOff: (settings: string) => boolean
}

/** Where an agent lists its active plugins. */
interface PluginList {
  readonly path: string
  /** Whether Cairn's plugin is active, given the text of the file. */
  readonly isActive: (settings: string) => boolean
}

export interface AgentDescriptor {
  readonly agent: SetupAgent
  readonly name: string
  /** The command that starts it, if it has one. */
  readonly program?: string
  /** The first one is set up if the agent is named explicitly and none is found. */
  readonly installations: (machine: Machine) => readonly Installation[]
  /** What the user still has to do, as sentences. */
  readonly afterwards: readonly string[]
  /** What this agent does not support, or is not known to support, as sentences. */
  readonly missing: readonly string[]
  /** Settings that disable all hooks. */
  readonly switches?: (machine: Machine) => readonly HooksSwitch[]
  /** For agents that can also have Cairn as a plugin. */
  readonly plugins?: (machine: Machine) => PluginList
  readonly history?: (machine: Machine) => HistoryLimit
  /** The file in which the agent records which hooks its user trusts, and the file with the hooks. */
  readonly trust?: (machine: Machine) => { readonly state: string; readonly hooks: string }
}
