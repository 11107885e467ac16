/** What a command is made of, and what it is given when it runs. */
import type { Command } from 'commander'
import type { Engine } from '@cairn/core'
import type { Settings } from './config/settings.ts'
import type { Surroundings } from './config/locations.ts'
import type { ExitCode } from './runtime/failure.ts'
import type { Terminal } from './terminal/terminal.ts'

/** Options that every command takes. */
export interface CommonOptions {
  readonly json?: boolean
  readonly store?: string
  readonly workspace?: string
  /** The store is neither read nor written. */
  readonly incognito?: boolean
  /** False after `--no-ltm`. */
  readonly ltm?: boolean
}

/** What a command runs in. */
export interface Context {
  readonly terminal: Terminal
  readonly surroundings: Surroundings
  readonly now: () => number
  /** The settings in force, with the flags of this call. */
  settings(options: CommonOptions): Promise<Settings>
  /**
   * The engine over the store that the settings name; closed when the command is done. With `--incognito` there is none:
   * rejects with `usage`, as what is about the store has nothing to do then.
   */
  engine(options: CommonOptions): Promise<Engine>
  /** The same for a command that only reads: a file that `--store` names and that is not there is named, not made. */
  readEngine(options: CommonOptions): Promise<Engine>
  /** The engine for a command that runs a session of its own: with `--incognito` one that knows nothing and keeps nothing. */
  sessionEngine(options: CommonOptions): Promise<Engine>
  /** The workspace that `--workspace` means: a folder's repository, else the name as it is. */
  workspace(options: CommonOptions): Promise<string | undefined>
  /** One JSON document on standard output. */
  json(value: unknown): Promise<void>
  /** What the process ends with, where that is not 0. */
  setExitCode(code: ExitCode): void
}

/** Adds a command's options, arguments, help and action to what commander made for it. */
export type Define = (command: Command, context: Context) => void
