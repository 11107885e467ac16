/** The context of commands in a real process. Storage and engine are loaded on first use. */
import { existsSync, statSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { CairnError } from '@cairn/core'
import type { Engine } from '@cairn/core'
import { dataFolder } from '@cairn/core/node'
import type { WatchedEngine } from '@cairn/core/node/watching'
import type { CommonOptions, Context } from '../command.ts'
import { loadSettings, usableStore } from '../config/settings.ts'
import type { Settings } from '../config/settings.ts'
import type { Surroundings } from '../config/locations.ts'
import type { ExitCode } from './failure.ts'
import { jsonText } from '../output/json-output.ts'
import { storeName } from '../output/store-name.ts'
import { createIndexingProgress } from '../terminal/indexing-progress.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** The context of all commands of a process. */
export interface ProcessContext extends Context {
  readonly exitCode: ExitCode
  /** Closes all engines that were opened. */
  close(): Promise<void>
}

const LOOKS_LIKE_PATH = /[/\\]|^\.{1,2}$|^~/

/**
 * Does nothing without `--incognito`.
 * @throws CairnError `usage` with it, for a command that needs the store
 */
const assertNotIncognito = ({ incognito }: CommonOptions): void => {
  if (incognito === true)
    throw new CairnError(
      'usage',
      'With --incognito the store is neither read nor written, and this command is about what is in it; leave the flag out.',
    )
}

/**
 * Does nothing if the file of `--store` exists or none was named. For commands that only read, which create no store.
 * @throws CairnError `usage` if it does not exist
 */
const assertNamedStoreExists = ({ store: { value, origin } }: Settings): void => {
  if (origin.from === 'flag' && value.startsWith('file:') && !existsSync(value.slice('file:'.length)))
    throw new CairnError('usage', `There is no store at ${storeName(value)}; cairn import makes one.`)
}

/**
 * The folder whose settings apply: that of `--workspace` if it exists, otherwise the working folder; undefined if that
 * is gone.
 */
const projectFolder = (given: string | undefined, { home, folder }: Surroundings): string | undefined => {
  if (typeof given !== 'string') return folder
  const path = given.startsWith('~') ? home + given.slice(1) : resolve(folder, given)
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? path : folder
}

/**
 * The project of `--workspace`: for a folder the repository that contains it, the whole path of one that is not there,
 * otherwise the name as given; undefined without the option.
 */
const workspaceOf = async (
  given: string | undefined,
  { home, folder: currentFolder }: Surroundings,
): Promise<string | undefined> => {
  if (given === undefined) return undefined
  const isPath = isAbsolute(given) || LOOKS_LIKE_PATH.test(given)
  if (!isPath) return given
  const folder = given.startsWith('~') ? home + given.slice(1) : resolve(currentFolder, given)
  if (!existsSync(folder)) return folder
  const { repositoryOf } = await import('../options/workspace-option.ts')
  return repositoryOf(folder)
}

/**
 * Opens the engine for a watch, which the watch closes itself. Rejects with `usage` under `--incognito`, and for a
 * store that the user does not trust.
 */
const watchedEngine = async (
  inForce: Settings,
  options: CommonOptions,
  surroundings: Surroundings,
): Promise<WatchedEngine> => {
  assertNotIncognito(options)
  const address = usableStore(inForce)
  const { openWatchedEngine } = await import('./open-engine.ts')
  return openWatchedEngine(address, inForce.prices.value, dataFolder(surroundings))
}

/** Returns a function that notes each sentence once: some commands read the settings more often. */
const createNotesOnce = ({ note }: Pick<Terminal, 'note'>): ((sentence: string) => void) => {
  const told = new Set<string>()
  return (sentence) => {
    if (told.has(sentence)) return
    told.add(sentence)
    note(sentence)
  }
}

/** Closes each engine, also where another one can't be closed; then rejects as the first of those did. */
const closeAll = async (engines: readonly Engine[]): Promise<void> => {
  const closing = engines.map((engine) => engine.close())
  await Promise.allSettled(closing)
  await Promise.all(closing)
}

/**
 * Returns what a command runs in, over a terminal; it keeps the engines that commands open, to close them all at the
 * end. The exit code is 0 until a command sets one.
 */
export const createContext = (terminal: Terminal, surroundings: Surroundings): ProcessContext => {
  const open: Engine[] = []
  let exitCode: ExitCode = 0
  const tellOnce = createNotesOnce(terminal)
  const settings = (options: CommonOptions): Promise<Settings> =>
    loadSettings(surroundings, options, projectFolder(options.workspace, surroundings), tellOnce)

  const kept = (engine: Engine): Engine => {
    open.push(engine)
    return engine
  }

  /** Opens an engine, kept until the end; `reads`: over an empty store in memory where there is none yet. */
  const engineOver = async (inForce: Settings, { ltm = true }: CommonOptions, reads = false): Promise<Engine> => {
    const address = usableStore(inForce)
    const { openEmptyEngine, openEngine } = await import('./open-engine.ts')
    // What only reads makes no store.
    const isMissing = reads && address.startsWith('file:') && !existsSync(address.slice('file:'.length))
    return kept(
      await (isMissing ? openEmptyEngine : openEngine)(address, {
        prices: inForce.prices.value,
        privacy: { longTermMemory: ltm },
        checkpoints: { dataFolder: dataFolder(surroundings), home: surroundings.home },
        onIndexing: createIndexingProgress(terminal),
      }),
    )
  }

  const storedEngine = async (options: CommonOptions): Promise<Engine> => {
    assertNotIncognito(options)
    return engineOver(await settings(options), options)
  }

  return {
    terminal,
    surroundings,
    now: () => Date.now(),
    settings,
    engine: storedEngine,
    sessionEngine: async (options) => {
      if (options.incognito !== true) return storedEngine(options)
      const { prices } = await settings(options)
      const { openIncognitoEngine } = await import('./open-engine.ts')
      return kept(await openIncognitoEngine(prices.value))
    },
    readEngine: async (options) => {
      assertNotIncognito(options)
      const inForce = await settings(options)
      assertNamedStoreExists(inForce)
      return engineOver(inForce, options, true)
    },
    watchedEngine: async (options) => watchedEngine(await settings(options), options, surroundings),
    workspace: ({ workspace }) => workspaceOf(workspace, surroundings),
    json: (value) => terminal.line(jsonText(value)),
    setExitCode: (code) => {
      exitCode = code
    },
    get exitCode() {
      return exitCode
    },
    close: () => closeAll(open.splice(0)),
  }
}
