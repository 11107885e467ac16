/** The files of this installation that agents are told to start, and where setup keeps its record. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CairnError } from '@cairn/core'
import { dataFolder, realPathOf } from '@cairn/core/node'
import { withLauncher } from '@cairn/core/node/setup'
import type { SetupRequest } from '@cairn/core/node/setup'
import type { AgentDescriptor, CairnProgram } from '@cairn/core/setup'
import type { Surroundings } from '../config/locations.ts'
import { importEnvironment } from '../runtime/import-environment.ts'

/**
 * The folder that this program is installed in.
 * @throws CairnError `not-found` if its files are incomplete
 */
const packageFolder = (from: string = dirname(fileURLToPath(import.meta.url))): string => {
  for (let at = from; ; at = dirname(at)) {
    if (existsSync(join(at, 'bin', 'cairn.js'))) return at
    if (dirname(at) === at)
      throw new CairnError('not-found', 'The files of this installation are not complete: install Cairn again.')
  }
}

/**
 * Returns how agents start Cairn from an editor's extension in `own`, which moves with each of its versions and runs on
 * the editor's own Node: by its scripts at a place that stays, the folder in CAIRN_PROGRAM_FOLDER. Undefined where that
 * is not set, or these scripts are missing or another installation's: what this command starts inherits the variable.
 */
const editorProgram = (
  own: string,
  { variables, platform }: Pick<Surroundings, 'variables' | 'platform'>,
): Pick<CairnProgram, 'node' | 'hook' | 'command'> | undefined => {
  const folder = variables['CAIRN_PROGRAM_FOLDER'] ?? ''
  if (!isAbsolute(folder)) return undefined
  const program = {
    node: join(folder, 'bin', platform === 'win32' ? 'cairn-node.cmd' : 'cairn-node'),
    hook: join(folder, 'dist', 'hook.js'),
    command: join(folder, 'bin', 'cairn.js'),
  }
  try {
    const isOwn = readFileSync(program.hook, 'utf8').includes(JSON.stringify(join(own, 'dist', 'hook.js')))
    return isOwn && existsSync(program.node) && existsSync(program.command) ? program : undefined
  } catch {
    return undefined
  }
}

/**
 * How agents are to start Cairn: the editor's copy if this is one, otherwise this installation with this Node.
 * `CAIRN_HOME` goes with it.
 */
const programOf = (surroundings: Surroundings): CairnProgram => {
  const { variables, folder } = surroundings
  const own = packageFolder()
  const home = variables['CAIRN_HOME']
  return {
    ...(editorProgram(own, surroundings) ?? {
      node: realPathOf(process.execPath),
      hook: join(own, 'dist', 'hook.js'),
      command: join(own, 'bin', 'cairn.js'),
    }),
    ...(home === undefined || home === '' ? {} : { dataFolder: resolve(folder, home) }),
  }
}

/**
 * Returns what setup is asked to do on this machine; without agents, all that are found. Nothing is written.
 * `replaceStatusLine`: also where the user has one.
 * @throws CairnError as {@link withLauncher} does
 */
export const setupRequest = (
  surroundings: Surroundings,
  agents: readonly AgentDescriptor[] = [],
  replaceStatusLine = false,
): SetupRequest => {
  const machine = importEnvironment(surroundings)
  // Agents have one set of settings a home folder: setups with another CAIRN_HOME share the record of what is written there.
  const ofHome = dataFolder({ ...surroundings, variables: { ...surroundings.variables, CAIRN_HOME: undefined } })
  return {
    machine,
    program: withLauncher(programOf(surroundings), machine, dataFolder(surroundings)),
    dataFolder: ofHome,
    agents,
    replaceStatusLine,
  }
}

/** Returns whether there is a folder at a path; false, too, if that can't be looked at. */
const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/**
 * Does nothing if the home folder exists. Agents keep their settings below it, which would otherwise be written
 * anywhere.
 * @throws CairnError `usage` if it is not an existing absolute folder
 */
export const assertHome = ({ home }: Surroundings): void => {
  if (isAbsolute(home) && isFolder(home)) return
  throw new CairnError(
    'usage',
    `Your home folder is not known: ${home === '' ? 'HOME is empty' : `'${home}' is no folder by its whole path`}. Set HOME to it (USERPROFILE on Windows). Nothing was written.`,
  )
}

/**
 * Does nothing if the program for hooks exists.
 * @throws CairnError `not-found` if it is missing, because hooks would then start nothing
 */
export const assertHooksStart = ({ program }: SetupRequest): void => {
  if (!existsSync(program.hook))
    throw new CairnError(
      'not-found',
      `${program.hook} is missing, and agents would start it: install Cairn again. Nothing was written.`,
    )
}
