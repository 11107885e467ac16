/**
 * Files that killed processes left in the data folder: what was being written, leases of processes that are gone, logs that
 * grew over their size. Repositories of checkpoints have a clean-up of their own.
 */
import { lstatSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { CleanUpRow, CleanUpSource } from '../../cleanup/clean-up.ts'
import { isRunning } from '../is-running.ts'
import { isAbandonedLease, removeAbandonedLease } from '../lease-file.ts'
import { replaceFile } from '../replace-file.ts'

/** A file of a process that may still be at work is younger than this, ms. */
const LEFTOVER_AGE_MS = 3_600_000
/** A copy of a store that is being made: `<store>.<process>.<number>.tmp`, with SQLite's own files of it. */
const UNFINISHED_COPY = /\.db\.(\d+)\.\d+\.tmp(?:-journal|-wal|-shm)?$/
/** What `replaceFile` and leases write before it has its name; the number is the process's. */
const UNFINISHED = [/\.(\d+)\.tmp$/, /\.lock\.(\d+)(?:\.stale)?$/]
const LEASE = /\.lock$/
const LOG = /\.log(?:\.\d)?$/
/** Logs keep themselves shorter; one that is longer was written by something else. */
const MOST_LOG_BYTES = 1 << 20
const KEPT_LOG_BYTES = 128 << 10
/** Another clean-up goes on with the rest. */
const MOST_FILES = 10_000
/** A folder of repositories. */
const CHECKPOINTS = 'checkpoints'

interface FoundFile {
  readonly path: string
  readonly name: string
  readonly bytes: number
  readonly modifiedAt: number
}

/**
 * Regular files of a folder and of the folders directly in it, but for that of checkpoints; at most `MOST_FILES`, links
 * not followed. None where the folder is missing.
 */
const filesBelow = (folder: string): readonly FoundFile[] => {
  const found: FoundFile[] = []
  /** Adds the files of a folder to `found` and, if it is the top, those of the folders in it. */
  const visit = (inside: string, isTop: boolean): void => {
    for (const item of readdirSync(inside, { withFileTypes: true })) {
      if (found.length >= MOST_FILES) return
      const path = join(inside, item.name)
      if (item.isDirectory() && isTop && item.name !== CHECKPOINTS) visit(path, false)
      if (!item.isFile()) continue
      const facts = lstatSync(path, { throwIfNoEntry: false })
      if (facts?.isFile() === true) found.push({ path, name: item.name, bytes: facts.size, modifiedAt: facts.mtimeMs })
    }
  }
  if (lstatSync(folder, { throwIfNoEntry: false }) !== undefined) visit(folder, true)
  return found
}

/**
 * Whether a file was left by a process that is gone: at once for a copy of a store, of others once they are older than
 * `LEFTOVER_AGE_MS`.
 */
const isUnfinished = ({ name, modifiedAt }: FoundFile, now: number): boolean => {
  const copy = UNFINISHED_COPY.exec(name)
  // A store's copy is large; its process writes to it all the time.
  if (copy !== null) return !isRunning(Number(copy[1]))
  const match = UNFINISHED.map((pattern) => pattern.exec(name)).find((each) => each !== null)
  return match !== undefined && now - modifiedAt > LEFTOVER_AGE_MS && !isRunning(Number(match[1]))
}

/** Replaces a log by its end, at most `KEPT_LOG_BYTES`, from a line's beginning on. Throws what the system says. */
const shorten = (path: string): void => {
  const text = readFileSync(path).subarray(-KEPT_LOG_BYTES)
  replaceFile(path, text.subarray(text.indexOf('\n') + 1))
}

interface FileKind {
  readonly kind: string
  readonly reason: string
  readonly isLeftOver: (file: FoundFile, now: number) => boolean
  /** False when it was not removed after all. Throws what the system says. */
  readonly remove: (file: FoundFile) => boolean
  readonly bytes: (file: FoundFile) => number
}

const KINDS: readonly FileKind[] = [
  {
    kind: 'temporary-file',
    reason:
      'files that a process was writing when it was killed, over an hour ago, and its unfinished copies of a store',
    isLeftOver: isUnfinished,
    remove: ({ path }) => {
      rmSync(path, { force: true })
      return true
    },
    bytes: ({ bytes }) => bytes,
  },
  {
    kind: 'lease',
    reason: 'locks of processes that are gone',
    isLeftOver: ({ path, name }) => LEASE.test(name) && isAbandonedLease(path),
    remove: ({ path }) => removeAbandonedLease(path),
    bytes: ({ bytes }) => bytes,
  },
  {
    kind: 'log',
    reason: 'logs over their size, of which the newest part is kept',
    isLeftOver: ({ name, bytes }) => LOG.test(name) && bytes > MOST_LOG_BYTES,
    remove: ({ path }) => {
      shorten(path)
      return true
    },
    bytes: ({ bytes }) => bytes - KEPT_LOG_BYTES,
  },
]

/**
 * A clean-up of the data folder: one row a kind, also where none is found. Removes what killed processes left
 * (unfinished files, locks), and shortens logs of more than 1 MiB to their end. A dry run changes nothing and tells the
 * bytes that would be freed. Rejects with what the system says.
 * @param dataFolder absolute; it may be missing
 */
export const leftoverFiles = (dataFolder: string): CleanUpSource => ({
  name: 'data folder',
  isQuick: true,
  /** One row for each kind: how many were found, how many removed (none in a dry run), and their bytes. */
  run: async ({ dryRun }, now) => {
    const files = filesBelow(dataFolder)
    return KINDS.map(({ kind, reason, isLeftOver, remove, bytes }): CleanUpRow => {
      const found = files.filter((file) => isLeftOver(file, now))
      return {
        kind,
        reason,
        found: found.length,
        removed: dryRun ? 0 : found.filter(remove).length,
        bytes: found.reduce((sum, file) => sum + bytes(file), 0),
      }
    })
  },
})
