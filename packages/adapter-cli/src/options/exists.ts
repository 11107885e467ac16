/** Checks whether what an option names exists. */
import { lstatSync } from 'node:fs'
import { codeOf } from '@cairn/core/node'

/** Whether a path exists. Broken links, and files that must not be read, exist too: the import reports them. */
export const exists = (path: string): boolean => {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    return codeOf(error) === 'EACCES'
  }
}
