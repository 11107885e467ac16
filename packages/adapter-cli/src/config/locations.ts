/**
 * The surroundings of a command: folders and environment. Where settings files are is up to core, so that the editor
 * finds the same ones.
 */
import { homedir } from 'node:os'
import { isAbsolute } from 'node:path'
import type { Surroundings as Anywhere } from '@cairn/core/node'

export interface Surroundings extends Anywhere {
  /** The working folder, absolute. */
  readonly folder: string
}

/**
 * What commands are told of the process that they run in: environment variables, platform, home and working folder. Never
 * throws: a working folder that was removed is the path where it was, so that a command that needs it can name it.
 */
export const surroundingsOfProcess = (
  own: Pick<NodeJS.Process, 'env' | 'platform' | 'cwd'> = process,
): Surroundings => ({
  variables: own.env,
  platform: own.platform,
  home: homedir(),
  folder: workingFolder(own),
})

const workingFolder = (own: Pick<NodeJS.Process, 'env' | 'cwd'>): string => {
  try {
    return own.cwd()
  } catch {
    // The shell that started this knows where it was.
    const known = own.env['PWD'] ?? ''
    return isAbsolute(known) ? known : homedir()
  }
}
