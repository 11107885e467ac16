/** Finds the dashboard's server. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CairnError } from '@cairn/core'

/** Where the dashboard's files are. */
export interface Dashboard {
  /** The script that starts the server; its first comment says what it takes and prints. */
  readonly script: string
  /** The folder of the dashboard's package. */
  readonly folder: string
  /** The folder of the repository. */
  readonly root: string
}

/** Returns a folder and all folders above it, nearest first. */
const above = (start: string): readonly string[] => {
  const folders = [start]
  for (let at = start; dirname(at) !== at; at = dirname(at)) folders.push(dirname(at))
  return folders
}

/**
 * Returns the dashboard of the repository that contains this program, the nearest one above.
 * @throws CairnError `unsupported` if there is none
 */
export const findDashboard = (from: string = dirname(fileURLToPath(import.meta.url))): Dashboard => {
  for (const root of above(from)) {
    const folder = join(root, 'apps', 'dashboard')
    const script = join(folder, 'bin', 'serve.mjs')
    if (existsSync(script)) return { script, folder, root }
  }
  throw new CairnError(
    'unsupported',
    'The dashboard is not part of this installation; run it from a checkout of the repository.',
  )
}
