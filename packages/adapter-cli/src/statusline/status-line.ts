/** `cairn statusline`: one line of what the agent tells and what the store knows. Without a store, of the former alone. */
import { existsSync } from 'node:fs'
import { parseStatusInput, statusSegments } from '@cairn/core/hooks'
import type { StatusFigures, StatusInput } from '@cairn/core/hooks'
import type { Surroundings } from '@cairn/core/node'
import { ReadingDatabase, usageFigures } from '@cairn/storage-prisma/reading'
import { readHookSettings } from '../hooks/hook-settings.ts'
import type { HookSettings } from '../hooks/hook-settings.ts'
import { repositoryOf } from '../hooks/folder-facts.ts'
import { localStarts } from './local-starts.ts'
import { renderLine } from './render-line.ts'
import { SEGMENT_NAMES } from './segment-names.ts'

/** The arguments of `cairn statusline`. */
export interface StatusCall {
  readonly agent: string
  readonly store: string | undefined
  readonly colours: boolean
}

/** Segments that need the store. */
const FROM_STORE = new Set<string>(['session', 'today', 'project', 'budget', 'burn'])
const WIDEST = 1_000

/**
 * Returns the line for an agent's status bar, with its line end; empty if nothing is known. `text` is the agent's JSON.
 * Rejects with an error worth logging.
 */
export const statusLine = async (call: StatusCall, text: string, around: Surroundings): Promise<string> => {
  const input = parseStatusInput(text)
  const surroundings = { ...around, folder: input.folder ?? around.folder }
  const settings = readHookSettings(surroundings, call.store)
  const names = settings.segments ?? SEGMENT_NAMES
  const now = Date.now()
  const stored = names.some((name) => FROM_STORE.has(name))
    ? await storedFigures(call, input, settings, { now, surroundings })
    : undefined
  const { variables } = surroundings
  const line = renderLine(
    statusSegments(names, input, { ...stored, now, budgetDay: settings.budgetDay, budgetMonth: settings.budgetMonth }),
    { columns: columnsOf(variables['COLUMNS']), colours: call.colours && (variables['NO_COLOR'] ?? '') === '' },
  )
  return line === '' ? '' : `${line}\n`
}

/** The width of a terminal in columns; the maximum if it is not known. */
const columnsOf = (value: string | undefined): number => {
  const columns = Number(value)
  return Number.isInteger(columns) && columns > 0 ? Math.min(columns, WIDEST) : WIDEST
}

/**
 * Returns the figures in the store; of a store on a server, those saved last, as it is not asked. Undefined if there is
 * no store or it can't be read, and the line is shown without them.
 */
const storedFigures = async (
  { agent }: StatusCall,
  { folder, sessionId }: StatusInput,
  { store, timeZone }: HookSettings,
  { now, surroundings }: { readonly now: number; readonly surroundings: Surroundings },
): Promise<Omit<StatusFigures, 'now'> | undefined> => {
  const path = store?.startsWith('file:') === true ? store.slice('file:'.length) : undefined
  if (store === undefined || (path !== undefined && !existsSync(path))) return undefined
  try {
    const starts = localStarts(now, timeZone)
    const workspace = folder === undefined ? undefined : await repositoryOf(folder)
    if (path === undefined)
      return (await import('./saved-figures.ts')).savedFigures(surroundings, store, starts, workspace)
    const database = await ReadingDatabase.open(path)
    if (database === undefined) return undefined
    try {
      return await usageFigures(database, {
        ...starts,
        workspace,
        sessionId: sessionId === undefined ? undefined : `${agent}:${sessionId}`,
      })
    } finally {
      await database.close()
    }
  } catch {
    return undefined
  }
}
