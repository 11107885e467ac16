/**
 * Which changes of files an agent was told of, by keys that say nothing: a file a session in the data folder, as hooks only read the
 * store. It goes a month after the last one.
 */
import { readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createHasher, dataFolder, makeFolder, replaceFile } from '@cairn/core/node'
import type { Surroundings } from '@cairn/core/node'

const FOLDER = 'told-changes'
/** The newest are kept; a change before them is told again, if it ever comes back. */
const MOST_KEYS = 500
const KEPT_MS = 30 * 86_400_000

const pathOf = (surroundings: Surroundings, sessionId: string): string =>
  join(dataFolder(surroundings), FOLDER, `${createHasher().sha256(sessionId).slice(0, 32)}.json`)

/** The keys of changes that a session was told of; none where there is no record, or none that can be read. */
export const readTold = (surroundings: Surroundings, sessionId: string): ReadonlySet<string> => {
  try {
    const value: unknown = JSON.parse(readFileSync(pathOf(surroundings, sessionId), 'utf8'))
    return new Set(Array.isArray(value) ? value.filter((key) => typeof key === 'string') : [])
  } catch {
    return new Set()
  }
}

/**
 * Keeps the keys of changes that a session was told of, in place of those before: the newest where they are many.
 * @throws what the system says where it can't be written: they are then told again
 */
export const keepTold = (surroundings: Surroundings, sessionId: string, keys: readonly string[]): void => {
  makeFolder(join(dataFolder(surroundings), FOLDER), 0o700)
  replaceFile(pathOf(surroundings, sessionId), JSON.stringify(keys.slice(-MOST_KEYS)))
}

/** Removes records that nothing was added to for a month. Never throws. */
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
