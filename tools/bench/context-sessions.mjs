// The recorded sessions that context policies are measured on. They lie beside the repository where they are available.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { dataFolder } from './paths.mjs'

/** The message where there is nothing to measure on. */
export const NO_SESSIONS = 'skipped: the recorded sessions are not beside the repository'

/**
 * The recorded sessions of the real data.
 * @returns {string[]} files of single sessions, sorted; none where they are absent
 */
export function sessionFiles() {
  const data = dataFolder()
  const folder = data === undefined ? undefined : join(data, 'trajectories')
  if (folder === undefined || !existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl.gz'))
    .sort()
    .map((name) => join(folder, name))
}

/**
 * The sessions in two halves: a setting is worth keeping where it pays on both. Recordings of the same session (names that
 * differ in their last number only) stay together; the sessions, in the order of their names, go to the halves in turn.
 * @param {readonly string[]} files sorted
 * @returns {[string[], string[]]}
 */
export function halvesOf(files) {
  const sessions = [...Map.groupBy(files, (file) => file.replace(/-\d+\.jsonl\.gz$/, '')).values()]
  const half = (remainder) => sessions.filter((_, index) => index % 2 === remainder).flat()
  return [half(0), half(1)]
}
