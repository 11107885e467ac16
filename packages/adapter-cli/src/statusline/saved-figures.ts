/**
 * Figures of a store that is a server, in a file of the data folder: a status line has no time to ask one. The import after a
 * turn leaves them there, so they are as of then.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject, type Engine, type JsonObject, type JsonValue } from '@cairn/core'
import { createHasher, dataFolder, replaceFile } from '@cairn/core/node'
import type { Surroundings } from '@cairn/core/node'
import type { StatusFigures } from '@cairn/core/hooks'
import type { LocalStarts } from './local-starts.ts'

const FILE = 'status-figures.json'
/** Projects whose cost is kept, those imported last. */
const MOST_PROJECTS = 50

/** The file of saved figures. */
const pathIn = (surroundings: Surroundings): string => join(dataFolder(surroundings), FILE)

/** A hash of the store's address, which may contain a password. */
const nameOf = (address: string): string => createHasher().sha256(address)

/** Returns what was saved; empty if it can't be read. */
const readFile = (surroundings: Surroundings): JsonObject => {
  try {
    const value: unknown = JSON.parse(readFileSync(pathIn(surroundings), 'utf8'))
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}

/** A stored amount; undefined for anything else. */
const nanoOf = (value: JsonValue | undefined): bigint | undefined =>
  typeof value === 'string' && /^\d{1,30}$/.test(value) ? BigInt(value) : undefined

type SavedFigures = Pick<StatusFigures, 'todayNano' | 'monthNano' | 'projectNano'>

/**
 * Returns the sums last saved for this store, in nano-USD: of the day, the month and a project. Each is undefined if it
 * was not saved or is of another day, month, project or store.
 */
export const savedFigures = (
  surroundings: Surroundings,
  address: string,
  { day, month }: LocalStarts,
  workspace: string | undefined,
): SavedFigures => {
  const saved = readFile(surroundings)
  if (saved['store'] !== nameOf(address)) return {}
  const projects = saved['projects']
  return {
    todayNano: saved['day'] === day ? nanoOf(saved['today']) : undefined,
    monthNano: saved['month'] === month ? nanoOf(saved['thisMonth']) : undefined,
    projectNano:
      workspace === undefined || !isJsonObject(projects) || !Object.hasOwn(projects, workspace)
        ? undefined
        : nanoOf(projects[workspace]),
  }
}

/**
 * Saves the store's sums for the day, the month and a project, replacing earlier ones; the costs of other projects of the
 * same store are kept, the {@link MOST_PROJECTS} saved last. Rejects if the store can't be read or nothing can be written.
 */
export const saveFigures = async (
  { usage }: Pick<Engine, 'usage'>,
  surroundings: Surroundings,
  address: string,
  { day, month }: LocalStarts,
  workspace: string | undefined,
): Promise<void> => {
  const costOf = async (query: { readonly since?: number; readonly filter?: { readonly workspace: string } }) =>
    (await usage.report({ by: 'model', limit: 0, ...query })).total.costNano.toString()
  const before = readFile(surroundings)
  const isSame = before['store'] === nameOf(address) && isJsonObject(before['projects'])
  const others = isSame && isJsonObject(before['projects']) ? Object.entries(before['projects']) : []
  const projects = [
    ...others.filter(([path]) => path !== workspace),
    ...(workspace === undefined ? [] : [[workspace, await costOf({ filter: { workspace } })] as const]),
  ]
  const figures = {
    store: nameOf(address),
    day,
    today: await costOf({ since: day }),
    month,
    thisMonth: await costOf({ since: month }),
    projects: Object.fromEntries(projects.slice(-MOST_PROJECTS)),
  }
  replaceFile(pathIn(surroundings), `${JSON.stringify(figures)}\n`)
}
