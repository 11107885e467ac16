/**
 * Pending memory suggestions in the data folder: the import, which has the time, looks for them and writes one file per
 * project; the start of a session reads it, and tells the user about those not announced yet.
 */
import { closeSync, openSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Store, SuggestionQuery, SuggestionReport } from '@cairn/core'
import { offeredIds, parseWaiting, suggestionNotice, waitingIn } from '@cairn/core/hooks'
import { createHasher, dataFolder, makeFolder, replaceFile } from '@cairn/core/node'
import type { Surroundings } from '@cairn/core/node'

const FOLDER = 'suggestions'
/** Holds an empty file for each suggestion that the user was told about, by its id. */
const TOLD = 'told'
/** The least time between two searches within a session. */
const BETWEEN_LOOKS_MS = 10 * 60_000

/** A project and its current branch. */
interface Project {
  readonly workspace: string
  readonly branch?: string
}

const pathOf = (surroundings: Surroundings, workspace: string): string =>
  join(dataFolder(surroundings), FOLDER, `${createHasher().sha256(workspace).slice(0, 32)}.json`)

/**
 * Returns a sentence about suggestions that are new since the last one; empty if there are none. They count as
 * announced from then on, even if the agent does not show it; if two sessions start together, only one announces them.
 * Rejects as the store does.
 */
export const newSuggestions = async (
  state: Pick<Store['state'], 'all'>,
  { workspace, branch }: Project,
  surroundings: Surroundings,
): Promise<string> => {
  const waiting = parseWaiting(textOf(pathOf(surroundings, workspace)))
  if (waiting.length === 0) return ''
  const offered = offeredIds(waiting, branch, await state.all({ tier: 'workspace', workspace }))
  return suggestionNotice(offered.length, offered.filter((id) => claim(surroundings, id)).length)
}

/** Returns the text of a file; empty if it can't be read. */
const textOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Marks a suggestion as announced; false if it already was, or if that can't be stored. */
const claim = (surroundings: Surroundings, id: string): boolean => {
  const folder = join(dataFolder(surroundings), FOLDER, TOLD)
  try {
    makeFolder(folder, 0o700)
    closeSync(openSync(join(folder, id), 'wx', 0o600))
    return true
  } catch {
    return false
  }
}

/**
 * Looks for suggestions and stores them for the next start: with `isEnd` (a session ends) always, otherwise only if the
 * last search was at least ten minutes ago. Rejects as `list` does.
 */
export const lookForSuggestions = async (
  list: (workspace: string, query: SuggestionQuery) => Promise<SuggestionReport>,
  { workspace, branch }: Project,
  isEnd: boolean,
  surroundings: Surroundings,
): Promise<void> => {
  const path = pathOf(surroundings, workspace)
  const lookedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs
  if (!isEnd && lookedAt !== undefined && Math.abs(Date.now() - lookedAt) < BETWEEN_LOOKS_MS) return
  const report = await list(workspace, branch === undefined ? {} : { branch })
  makeFolder(join(dataFolder(surroundings), FOLDER), 0o700)
  replaceFile(path, JSON.stringify(waitingIn(report, branch)))
}
