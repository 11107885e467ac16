/**
 * Errors of hooks, logged to a file in the data folder, because hooks have nobody to tell. Bounded: a full file
 * replaces the old one.
 */
import { appendFileSync, existsSync, readFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject, redact } from '@cairn/core'
import { dataFolder } from '@cairn/core/node'
import type { Surroundings } from '@cairn/core/node'

const LOG_FILE = 'hooks.log'
const MOST_BYTES = 128 << 10
const MESSAGE_CHARACTERS = 400
/** The same error is logged once in this time. */
const REPEATED_MS = 60_000

/** An error in a hook. */
export interface Trouble {
  readonly hook: string
  readonly message: string
}

/** An error in the log. */
export interface LoggedTrouble extends Trouble {
  /** ms */
  readonly at: number
}

const logPath = (surroundings: Surroundings): string => join(dataFolder(surroundings), LOG_FILE)

/**
 * Adds the first line of an error to the hooks' log, at most 400 characters, known kinds of secrets replaced; not if
 * the last line says the same of the same hook and is less than a minute old. A log over `MOST_BYTES` is first moved to
 * `….1`, in place of the one there. Does nothing without a data folder. Never throws, even if nothing can be written.
 */
export const logTrouble = (surroundings: Surroundings, { hook, message }: Trouble, now = Date.now()): void => {
  try {
    const path = logPath(surroundings)
    if (!existsSync(dataFolder(surroundings))) return
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MOST_BYTES) renameSync(path, `${path}.1`)
    const [line = ''] = message.split('\n')
    const text = redact(line.slice(0, MESSAGE_CHARACTERS)).text
    const last = troublesIn(path).at(-1)
    // An agent may ask every second.
    if (last?.hook === hook && last.message === text && now - last.at < REPEATED_MS) return
    appendFileSync(path, `${JSON.stringify({ at: now, hook: hook.slice(0, 40), message: text })}\n`, { mode: 0o600 })
  } catch {
    // A full disk, a folder of somebody else: the agent must not notice.
  }
}

/** Returns the logged errors, oldest first, and the path of the log; none without a log. Damaged lines are skipped. */
export const readTroubles = (
  surroundings: Surroundings,
): { readonly path: string; readonly troubles: readonly LoggedTrouble[] } => {
  const path = logPath(surroundings)
  return { path, troubles: [`${path}.1`, path].flatMap(troublesIn) }
}

/** Returns the errors in one log file, oldest first; empty if it can't be read. Damaged lines are skipped. */
const troublesIn = (path: string): readonly LoggedTrouble[] => {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return []
  }
  return text.split('\n').flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line)
      if (!isJsonObject(value)) return []
      const { at, hook, message } = value
      return typeof at === 'number' && typeof hook === 'string' && typeof message === 'string'
        ? [{ at, hook, message }]
        : []
    } catch {
      return []
    }
  })
}
