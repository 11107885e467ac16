/** What commands run in, for a real process. Storage and engine are loaded when a command first asks for them. */
import { existsSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { CairnError } from '@cairn/core'
import type { Engine } from '@cairn/core'
import type { CommonOptions, Context } from './command.ts'
import { loadSettings, usableStore } from './config/settings.ts'
import type { Settings } from './config/settings.ts'
import type { Surroundings } from './config/locations.ts'
import type { ExitCode } from './failure.ts'
import { jsonText } from './json-output.ts'
import { storeName } from './store-text.ts'
import type { Terminal } from './terminal/terminal.ts'

export interface ProcessContext extends Context {
  readonly exitCode: ExitCode
  /** Closes what was opened. */
  close(): Promise<void>
}

const LOOKS_LIKE_PATH = /[/\\]|^\.{1,2}$|^~/

/** A context over a terminal. */
export const createContext = (terminal: Terminal, surroundings: Surroundings): ProcessContext => {
  const open: Engine[] = []
  let exitCode: ExitCode = 0
  const settings = (options: CommonOptions): Promise<Settings> => loadSettings(surroundings, options)

  const engineOver = async (inForce: Settings): Promise<Engine> => {
    const address = usableStore(inForce)
    const { openEngine } = await import('./open-engine.ts')
    const engine = await openEngine(address, inForce.prices.value)
    open.push(engine)
    return engine
  }

  return {
    terminal,
    surroundings,
    now: () => Date.now(),
    settings,
    engine: async (options) => engineOver(await settings(options)),
    readEngine: async (options) => {
      const inForce = await settings(options)
      const { value, origin } = inForce.store
      if (origin.from === 'flag' && value.startsWith('file:') && !existsSync(value.slice('file:'.length))) {
        throw new CairnError('usage', `There is no store at ${storeName(value)}; cairn import makes one.`)
      }
      return engineOver(inForce)
    },
    workspace: async ({ workspace }) => {
      if (workspace === undefined) return undefined
      const isPath = isAbsolute(workspace) || LOOKS_LIKE_PATH.test(workspace)
      if (!isPath) return workspace
      const folder = workspace.startsWith('~') ? surroundings.home + workspace.slice(1) : resolve(surroundings.folder, workspace)
      if (!existsSync(folder)) return folder
      const { repositoryOf } = await import('./workspace-option.ts')
      return repositoryOf(folder)
    },
    json: (value) => terminal.line(jsonText(value)),
    setExitCode: (code) => {
      exitCode = code
    },
    get exitCode() {
      return exitCode
    },
    close: async () => {
      for (const engine of open.splice(0)) await engine.close()
    },
  }
}
