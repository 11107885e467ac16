/** The interface of a command, and the context in which it runs. */
import type { Command } from 'commander'
import type { Engine } from '@cairn/core'
import type { WatchedEngine } from '@cairn/core/node/watching'
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

/** The context of a running command. */
export interface Context {
  readonly terminal: Terminal
  readonly surroundings: Surroundings
  readonly now: () => number
  /** The settings in force, with the flags of this call. */
  settings(options: CommonOptions): Promise<Settings>
  /**
   * The engine over the store that the settings name; closed when the command is done. Rejects with `usage` under
   * `--incognito`: then there is no store to work with.
   */
  engine(options: CommonOptions): Promise<Engine>
  /**
   * The engine over the store that the settings name, for a command that only reads: while there is no store, over an empty
   * one in memory. Rejects under `--incognito` as `engine` does, and if the file that `--store` names does not exist.
   */
  readEngine(options: CommonOptions): Promise<Engine>
  /** The engine for a command that runs a session of its own; with `--incognito` one over an empty store in memory. */
  sessionEngine(options: CommonOptions): Promise<Engine>
  /** The engine for a watch, which closes it by itself; otherwise as `engine`. */
  watchedEngine(options: CommonOptions): Promise<WatchedEngine>
  /** The workspace that `--workspace` means: for a folder the repository that it is in, else the name as given. */
  workspace(options: CommonOptions): Promise<string | undefined>
  /** Prints a value as the one JSON document on standard output; call it once. */
  json(value: unknown): Promise<void>
  /** Sets the exit code of the process; without a call it is 0. */
  setExitCode(code: ExitCode): void
}

/**
 * Adds a command's description, options, arguments, help and action to its commander object. Every command module
 * exports one as `define`.
 */
export type Define = (command: Command, context: Context) => void
