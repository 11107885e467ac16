/** Makes folders. Node's own way to make those above, too, never ends where a file system refuses new folders as not found (/proc). */
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder and those above it that are missing, all with `mode`; one that is there is left as it is. Throws what
 * the system says, and an Error where a file has the path. Folders are made from the top.
 */
export const makeFolder = (path: string, mode = 0o777): void => {
  const missing: string[] = []
  for (let folder = path; !existsSync(folder) && dirname(folder) !== folder; folder = dirname(folder))
    missing.push(folder)
  for (const folder of missing.reverse()) {
    try {
      mkdirSync(folder, { mode })
    } catch (error) {
      // Another process may have made it meanwhile.
      if (!existsSync(folder)) throw error
    }
  }
  if (!statSync(path).isDirectory()) throw new Error(`${path} is not a folder`)
}
