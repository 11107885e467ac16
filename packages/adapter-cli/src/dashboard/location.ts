/** Finds the dashboard's server. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CairnError } from '@cairn/core'

export interface Dashboard {
  /** Starts the server; see its head for what it wants and says. */
  readonly script: string
  /** The dashboard's project. */
  readonly folder: string
  /** The repository. */
  readonly root: string
}

const above = (start: string): readonly string[] => {
  const folders = [start]
  for (let at = start; dirname(at) !== at; at = dirname(at)) folders.push(dirname(at))
  return folders
}

/** The dashboard beside this program. Throws a CairnError where there is none. */
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
