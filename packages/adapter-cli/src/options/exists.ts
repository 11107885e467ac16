/** Checks whether what an option names exists. */
import { lstatSync } from 'node:fs'
import { codeOf } from '@cairn/core/node'

/** Whether a path exists. Broken links and files that can't be read count as well: the import names them. */
export const exists = (path: string): boolean => {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    return codeOf(error) === 'EACCES'
  }
}
