/** Finds the dashboard's server, and builds the dashboard in a checkout that has not done so yet. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CairnError } from '@cairn/core'
import type { Terminal } from '../terminal/terminal.ts'

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
  throw new CairnError('unsupported', 'The dashboard is not part of this installation; run it from a checkout of the repository.')
}

/** Builds the dashboard where that is needed; what the build says is shown when it fails. */
export const prepareDashboard = async ({ folder, root }: Dashboard, terminal: Pick<Terminal, 'note'>): Promise<void> => {
  if (existsSync(join(folder, '.next', 'BUILD_ID'))) return
  terminal.note('Building the dashboard, this happens once …')
  let output = ''
  const code = await new Promise<number>((resolve) => {
    const child = spawn(process.execPath, [join(root, 'node_modules', 'nx', 'dist', 'bin', 'nx.js'), 'run', '@cairn/dashboard:build'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NX_DAEMON: 'false', NX_TUI: 'false', NEXT_TELEMETRY_DISABLED: '1' },
    })
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()))
    child.on('error', (error) => {
      output += error.message
      resolve(1)
    })
    child.on('close', (exitCode) => resolve(exitCode ?? 1))
  })
  if (code === 0) return
  terminal.note(output.trimEnd())
  throw new CairnError('unsupported', 'The dashboard could not be built; the reason is above, and "npx nx build @cairn/dashboard" tries again.')
}
