/** The lease as a file in the data folder: it holds the owner, and its time of change says when that was last there. */
import { linkSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { isStaleLease, leaseText, parseLease } from '../../watching/lease.ts'
import type { LeaseOwner, OwnerFacts } from '../../watching/lease.ts'
import { makeFolder } from '../make-folder.ts'

/** `held`: by another; `owner` is undefined where its file can't be understood. */
type LeaseOutcome = { readonly isTaken: true } | { readonly isTaken: false; readonly owner: LeaseOwner | undefined }

/** A lease on one file; one object for one process. */
export interface LeaseFile {
  /** Takes the lease, unless another holds it. Throws what the system says where nothing can be written. */
  take(): LeaseOutcome
  /** Says that the owner is still there; false when the lease is another's by now. */
  renew(): boolean
  /** Gives the lease back, if it is still this process's. */
  release(): void
}

/** The lease of a file; its folder is made when it is missing. `program`: what others are told that holds it. */
export const createLeaseFile = (path: string, program?: string): LeaseFile => {
  const own = leaseText({ pid: process.pid, host: hostname(), started: startOf(process.pid), program })
  const fresh = `${path}.${process.pid}`
  const isOwn = (): boolean => readText(path) === own
  return {
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
    release: () => {
      try {
        if (isOwn()) rmSync(path, { force: true })
      } catch {
        // Others find out that this process is gone.
      }
    },
  }
}

/** Makes the file with its whole content at once; false when there is one. */
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

/** Of several that find a lease stale one moves it away; a new one that got in its place is put back. */
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

const isStale = (path: string, owner: LeaseOwner | undefined): boolean => {
  const facts = statSync(path, { throwIfNoEntry: false })
  const silentMs = facts === undefined ? Infinity : Date.now() - facts.mtimeMs
  const isHere = owner?.host === hostname()
  return isStaleLease(owner, silentMs, owner === undefined || !isHere ? undefined : factsOf(owner.pid))
}

const factsOf = (pid: number): OwnerFacts => ({ isAlive: isAlive(pid), started: startOf(pid) })

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** When a process started, in the kernel's ticks since the machine did; undefined where the system has no /proc. */
const startOf = (pid: number): string | undefined => {
  const text = readText(`/proc/${pid}/stat`)
  // The name, in parentheses, may hold anything.
  return text?.slice(text.lastIndexOf(')') + 2).split(' ')[19]
}

const readText = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

const codeOf = (thrown: unknown): string =>
  typeof thrown === 'object' && thrown !== null && 'code' in thrown && typeof thrown.code === 'string'
    ? thrown.code
    : ''
