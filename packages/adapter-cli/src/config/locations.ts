/** What the command runs in; where settings lie within it is core's to say, so that the editor finds the same. */
import { homedir } from 'node:os'
import type { Surroundings as Anywhere } from '@cairn/core/node'

export interface Surroundings extends Anywhere {
  /** The working folder, absolute. */
  readonly folder: string
}

/** Those of this process. */
export const surroundingsOfProcess = (): Surroundings => ({
  variables: process.env,
  platform: process.platform,
  home: homedir(),
  folder: process.cwd(),
})
