/**
 * A lease, or lock, as a file in the data folder: it holds the owner, and its time of change says when that was last there.
 * For whatever one program at a time may do.
 */
import { linkSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { isStaleLease, leaseText, parseLease } from '../watching/lease.ts'
import type { LeaseOwner } from '../watching/lease.ts'
import { makeFolder } from './make-folder.ts'
import { createProcesses, ownerOf } from './processes.ts'
import { codeOf } from './system-reason.ts'

/** `held`: by another; `owner` is undefined where its file can't be understood. */
export type LeaseOutcome =
  { readonly isTaken: true } | { readonly isTaken: false; readonly owner: LeaseOwner | undefined }

const processes = createProcesses()

/** A lease on one file; one object for one process. */
export interface LeaseFile {
  /** Takes the lease, unless another holds it. Throws what the system says where nothing can be written. */
  take(): LeaseOutcome
  /** Says that the owner is still there; false when the lease is another's by now. */
  renew(): boolean
  /**
   * Makes it another process's, such as one that was just started. Throws what the system says where that can't be written.
   */
  giveTo(pid: number): void
  /** Gives the lease back, if it is still this process's. */
  release(): void
}

/**
 * The lease of a file; nothing is written before `take`, which makes it, and its folder. `take` also succeeds where
 * this process holds the lease already, and takes over one whose owner is gone (see `isStaleLease`). `renew` is false,
 * and does nothing, for one that is missing or another's; `giveTo` writes over whatever is there; `release` never
 * throws. `program`: the owner's name in the file, shown to others while it is held.
 */
export const createLeaseFile = (path: string, program?: string): LeaseFile => {
  const textOf = (pid: number): string => leaseText({ ...ownerOf(pid), program })
  const own = textOf(process.pid)
  const fresh = `${path}.${process.pid}`
  const isOwn = (): boolean => readText(path) === own
  return {
    /** Makes the lease's file, over a stale one too; not taken while another holds it. Throws what the system says. */
    take: () => {
      makeFolder(dirname(path), 0o700)
      if (isOwn() || makeFile(path, fresh, own)) return { isTaken: true }
      const held = readText(path)
      const owner = held === undefined ? undefined : parseLease(held)
      if (held !== undefined && !isStale(path, owner)) return { isTaken: false, owner }
      if (held !== undefined) moveAway(path, held)
      return makeFile(path, fresh, own)
        ? { isTaken: true }
        : { isTaken: false, owner: parseLease(readText(path) ?? '') }
    },
    renew: () => {
      if (!isOwn()) return false
      const now = new Date()
      utimesSync(path, now, now)
      return true
    },
    giveTo: (pid) => writeFileSync(path, textOf(pid), { mode: 0o600 }),
    release: () => {
      try {
        if (isOwn()) rmSync(path, { force: true })
      } catch {
        // Others find out that this process is gone.
      }
    },
  }
}

/** Whether a lease is left from a process that is gone; false where there is none. */
export const isAbandonedLease = (path: string): boolean => {
  const held = readText(path)
  return held !== undefined && isStale(path, parseLease(held))
}

/**
 * Removes a lease that is left from a process that is gone. False where there is none, its owner is still there, or it
 * can't be removed; true once its text is not there any more, also where another process took the lease meanwhile.
 */
export const removeAbandonedLease = (path: string): boolean => {
  const held = readText(path)
  if (held === undefined || !isStale(path, parseLease(held))) return false
  moveAway(path, held)
  return readText(path) !== held
}

const PAUSE_MS = 25

/**
 * Asks for a lease every 25 ms until it is taken, or `patienceMs` have passed; then the last outcome, which says who
 * holds it. Asked at least once; nothing else happens in this process meanwhile. Throws what `take` throws.
 */
export const waitForLease = (take: () => LeaseOutcome, patienceMs: number): LeaseOutcome => {
  for (const until = Date.now() + patienceMs; ;) {
    const outcome = take()
    if (outcome.isTaken || Date.now() > until) return outcome
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS)
  }
}

/**
 * Makes the file with its whole content at once; false when there is one. `fresh` is a temporary path beside it. Throws
 * what else the system refuses.
 */
const makeFile = (path: string, fresh: string, text: string): boolean => {
  try {
    writeFileSync(fresh, text, { mode: 0o600 })
    try {
      linkSync(fresh, path)
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false
      // Not every file system has links.
      writeFileSync(path, text, { mode: 0o600, flag: 'wx' })
    }
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  } finally {
    rmSync(fresh, { force: true })
  }
}

/**
 * Removes a stale lease, whose text is `stale`, by renaming it first: of several processes only one succeeds. A new
 * lease that was renamed by mistake is put back. Never throws: that nothing could be renamed is no error.
 */
const moveAway = (path: string, stale: string): void => {
  const aside = `${path}.${process.pid}.stale`
  try {
    renameSync(path, aside)
    if (readText(aside) !== stale) linkSync(aside, path)
  } catch {
    // Another was faster.
  } finally {
    rmSync(aside, { force: true })
  }
}

/**
 * Whether a lease's file is left from a process that is gone, by the owner that it names and how long it was not
 * renewed; the owner is undefined for a damaged one. A missing file counts as silent for ever.
 */
const isStale = (path: string, owner: LeaseOwner | undefined): boolean => {
  const facts = statSync(path, { throwIfNoEntry: false })
  const silentMs = facts === undefined ? Infinity : Date.now() - facts.mtimeMs
  return isStaleLease(owner, silentMs, owner === undefined ? undefined : processes.factsOf(owner))
}

/** The text of a file; undefined if it can't be read. */
const readText = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
