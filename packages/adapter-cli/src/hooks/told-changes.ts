/**
 * Which file changes an agent was told about, as opaque keys, in one file per session in the data folder, because hooks
 * only read the store. A file is deleted a month after the last addition.
 */
import { readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createHasher, dataFolder, makeFolder, replaceFile } from '@cairn/core/node'
import type { Surroundings } from '@cairn/core/node'

const FOLDER = 'told-changes'
/** The newest that are kept; an older change would be reported again if it came back. */
const MOST_KEYS = 500
const KEPT_MS = 30 * 86_400_000

/** The file with what a session was told. */
const pathOf = (surroundings: Surroundings, sessionId: string): string =>
  join(dataFolder(surroundings), FOLDER, `${createHasher().sha256(sessionId).slice(0, 32)}.json`)

/** Returns the keys of changes already told to a session; empty without a readable record. */
export const readTold = (surroundings: Surroundings, sessionId: string): ReadonlySet<string> => {
  try {
    const value: unknown = JSON.parse(readFileSync(pathOf(surroundings, sessionId), 'utf8'))
    return new Set(Array.isArray(value) ? value.filter((key) => typeof key === 'string') : [])
  } catch {
    return new Set()
  }
}

/**
 * Stores the keys of changes told to a session, replacing earlier ones; keeps the newest if there are many.
 * @throws the system's error if it can't be written: the changes are then told again
 */
export const keepTold = (surroundings: Surroundings, sessionId: string, keys: readonly string[]): void => {
  makeFolder(join(dataFolder(surroundings), FOLDER), 0o700)
  replaceFile(pathOf(surroundings, sessionId), JSON.stringify(keys.slice(-MOST_KEYS)))
}

/** Deletes records that were not added to for 30 days. `now` is in ms. Never throws. */
export const removeOldTold = (surroundings: Surroundings, now: number): void => {
  const folder = join(dataFolder(surroundings), FOLDER)
  try {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name)
      if ((statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now) < now - KEPT_MS) rmSync(path, { force: true })
    }
  } catch {
    // No change was told yet, or the folder can't be read: nothing is lost by it.
  }
}
