/**
 * Hooks queue imports on disk, and one separate process works through the queue. That process outlives the agent, which
 * ends its hooks when it exits; only one is started, however many hooks run at once.
 */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isJsonObject, stringOf } from '@cairn/core'
import { createLeaseFile, dataFolder, makeFolder, replaceFile } from '@cairn/core/node'
import type { LeaseFile, Surroundings } from '@cairn/core/node'

/** A request to import what an agent wrote. */
export interface ImportRequest {
  readonly agent: string
  /** Absolute; undefined: everything new of the agent. */
  readonly transcript: string | undefined
  /** Whose settings hold: the agent's working folder. */
  readonly folder: string | undefined
  /** A session, as the store names it, whose agent was told of file warnings: they are acknowledged. */
  readonly told?: string | undefined
  /** Its session is over. */
  readonly isEnd?: boolean
}

const QUEUE = 'import-queue'
const LOCK = 'import.lock'
/** Files that were not touched for so long belong to a process that is gone. */
const STALE_MS = 30 * 60_000
/** Requests that are taken at once. */
const MOST_REQUESTS = 1_000

const queueFolder = (surroundings: Surroundings): string => join(dataFolder(surroundings), QUEUE)
const lockPath = (surroundings: Surroundings): string => join(queueFolder(surroundings), LOCK)

/** Returns a short hash of a text (FNV-1a, 16 hex digits), to name its file. */
const nameOf = (text: string): string => {
  let [low, high] = [0x811c9dc5, 0xcbf29ce4]
  for (let index = 0; index < text.length; index += 1) {
    low = Math.imul(low ^ text.charCodeAt(index), 0x01000193)
    high = Math.imul(high ^ text.charCodeAt(text.length - 1 - index), 0x01000193)
  }
  return [low, high].map((part) => (part >>> 0).toString(16).padStart(8, '0')).join('')
}

/**
 * Queues a request for an import, once however often it is requested before it is taken, and starts the importing
 * process unless one is running; does not wait for the import.
 * @throws the system's error if nothing can be written
 */
export const queueImport = (request: ImportRequest, surroundings: Surroundings): void => {
  const folder = queueFolder(surroundings)
  makeFolder(folder, 0o700)
  const text = JSON.stringify(request)
  const path = join(folder, `${nameOf(text)}.json`)
  if (!existsSync(path)) replaceFile(path, text)
  if (takeImportLock(surroundings)) startImporter(surroundings)
}

/** The file names of waiting requests, in no particular order; empty without a queue. */
const requestNames = (folder: string): readonly string[] =>
  existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : []

/** Whether a request is queued; false without a queue. */
export const hasRequests = (surroundings: Surroundings): boolean => requestNames(queueFolder(surroundings)).length > 0

/** Removes files that a killed process left unfinished, older than `STALE_MS`. Nothing without the folder. */
const removeLeftovers = (folder: string): void => {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const path = join(folder, name)
    if (
      /\.(?:tmp|stale|lock\.\d+)$/.test(name) &&
      Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > STALE_MS
    )
      rmSync(path, { force: true })
  }
}

/**
 * Takes the waiting requests, oldest first, and removes their files, including damaged ones. The caller must hold the
 * import lock, which alone keeps two processes from taking the same. At most 1,000; empty if none waits.
 */
export const takeRequests = (surroundings: Surroundings): readonly ImportRequest[] => {
  const folder = queueFolder(surroundings)
  removeLeftovers(folder)
  return requestNames(folder)
    .map((name) => ({
      path: join(folder, name),
      at: statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    }))
    .sort((left, right) => left.at - right.at)
    .slice(0, MOST_REQUESTS)
    .flatMap(({ path }) => {
      const request = parseRequest(path)
      rmSync(path, { force: true })
      return request === undefined ? [] : [request]
    })
}

/** Returns the request in a file of the queue; undefined if it is damaged or names no agent. */
const parseRequest = (path: string): ImportRequest | undefined => {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (!isJsonObject(value)) return undefined
    const agent = stringOf(value['agent'])
    return agent === undefined
      ? undefined
      : {
          agent,
          transcript: stringOf(value['transcript']),
          folder: stringOf(value['folder']),
          told: stringOf(value['told']),
          isEnd: value['isEnd'] === true,
        }
  } catch {
    return undefined
  }
}

/** The lock of the importing process. */
const leaseOf = (surroundings: Surroundings): LeaseFile => createLeaseFile(lockPath(surroundings))

/**
 * Takes the lock of the importing process, also from a dead process, without waiting. Returns whether this process
 * holds it now.
 */
export const takeImportLock = (surroundings: Surroundings): boolean => leaseOf(surroundings).take().isTaken

/**
 * Shows that the owner is still working, so that the lock does not count as abandoned. Never throws, even if another
 * process owns the lock now.
 */
export const renewImportLock = (surroundings: Surroundings): void => {
  try {
    leaseOf(surroundings).renew()
  } catch {
    // A disk that is full for a moment takes no lock away.
  }
}

/** Makes this process the lock's owner, after the process that started it has taken the lock. */
export const keepImportLock = (surroundings: Surroundings): void => leaseOf(surroundings).giveTo(process.pid)

/** Releases the lock; does nothing if it has another owner. */
export const releaseImportLock = (surroundings: Surroundings): void => leaseOf(surroundings).release()

/** Built with the command, next to this program. */
const IMPORTER = './run-imports.js'

/**
 * Starts the importing process, detached and without streams, so that it outlives the agent and delays nobody. Throws,
 * and releases the lock, if it can't be started.
 */
const startImporter = (surroundings: Surroundings): void => {
  const script = fileURLToPath(new URL(IMPORTER, import.meta.url))
  const child = spawn(process.execPath, ['--max-semi-space-size=4', script], {
    cwd: queueFolder(surroundings),
    detached: true,
    stdio: 'ignore',
    windowsHide: true,
    env: { ...surroundings.variables, CAIRN_HOME: dataFolderVariable(surroundings) },
  })
  if (child.pid === undefined) {
    releaseImportLock(surroundings)
    throw new Error(`${basename(script)} could not be started`)
  }
  child.on('error', () => undefined)
  child.unref()
  // This process ends before that one runs; the lock must not count as left behind.
  leaseOf(surroundings).giveTo(child.pid)
}

/**
 * CAIRN_HOME as an absolute path, because a relative one would mean another folder in the new process; undefined if it
 * is not set.
 */
const dataFolderVariable = (surroundings: Surroundings): string | undefined =>
  (surroundings.variables['CAIRN_HOME'] ?? '') === '' ? undefined : dataFolder(surroundings)
