/**
 * The surroundings of a command: folders and environment. Core determines the paths of settings files, so that the
 * editor finds the same ones.
 */
import { homedir } from 'node:os'
import { isAbsolute } from 'node:path'
import type { Surroundings as Anywhere } from '@cairn/core/node'

/** What a command knows about the process it runs in. */
export interface Surroundings extends Anywhere {
  /** The working folder, absolute. */
  readonly folder: string
}

/**
 * The facts about the process passed to commands: environment variables, platform, home and working folder. Never
 * throws: for a deleted working folder, it returns the former path, so that a command that needs it can name it.
 */
export const surroundingsOfProcess = (
  own: Pick<NodeJS.Process, 'env' | 'platform' | 'cwd'> = process,
): Surroundings => ({
  variables: own.env,
  platform: own.platform,
  home: homedir(),
  folder: workingFolder(own),
})

/** Returns the working folder; if it was deleted, the path that the shell knows, else the home folder. */
const workingFolder = (own: Pick<NodeJS.Process, 'env' | 'cwd'>): string => {
  try {
    return own.cwd()
  } catch {
    // The shell that started this knows where it was.
    const known = own.env['PWD'] ?? ''
    return isAbsolute(known) ? known : homedir()
  }
}
