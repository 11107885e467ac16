/**
 * The surroundings of a command: folders and environment. Where settings files are is up to core, so that the editor
 * finds the same ones.
 */
import { homedir } from 'node:os'
import type { Surroundings as Anywhere } from '@cairn/core/node'

export interface Surroundings extends Anywhere {
  /** The working folder, absolute. */
  readonly folder: string
}

/** What commands are told of the process that they run in: environment variables, platform, home and working folder. */
export const surroundingsOfProcess = (): Surroundings => ({
  variables: process.env,
  platform: process.platform,
  home: homedir(),
  folder: process.cwd(),
})
