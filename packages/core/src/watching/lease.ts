/** Of several programs that would follow transcripts into one store, one does: who holds the lease, and whether they still do. */
import { isJsonObject, stringOf } from '../json.ts'
import type { LeaseOwner, OwnerFacts } from '../ports/processes.ts'

export type { LeaseOwner, OwnerFacts }

/** How often an owner says that it is still there, ms. */
export const LEASE_RENEWED_MS = 10_000
/** After so long without a word an owner counts as gone, where its process can't be asked, ms. */
const LEASE_LEFT_MS = 60_000

/** Characters of a program's name. */
const LONGEST_PROGRAM = 40

/** The owner as the text of a lease's file, which {@link parseLease} reads. */
export const leaseText = (owner: LeaseOwner): string => JSON.stringify(owner)

/** The owner in a lease's text; undefined for a text that names none. */
export const parseLease = (text: string): LeaseOwner | undefined => {
  try {
    return ownerIn(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** The owner that a value names; undefined for one that names none. */
export const ownerIn = (value: unknown): LeaseOwner | undefined => {
  if (!isJsonObject(value)) return undefined
  const { pid, host, started, program } = value
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0 || typeof host !== 'string') return undefined
  return { pid, host, started: stringOf(started), program: stringOf(program)?.slice(0, LONGEST_PROGRAM) }
}

/**
 * Whether a lease is left from a process that is gone: none runs under its id, or one that began at another time.
 * `silentMs`: since the owner last renewed it; `process`: what runs under its id, undefined for another machine's.
 * Silence decides where nothing else can be told, also without an owner: stale after more than `LEASE_LEFT_MS`.
 */
export const isStaleLease = (
  owner: LeaseOwner | undefined,
  silentMs: number,
  process: OwnerFacts | undefined,
): boolean => {
  if (owner === undefined || process === undefined) return silentMs > LEASE_LEFT_MS
  if (!process.isAlive) return true
  if (owner.started !== undefined && process.started !== undefined) return owner.started !== process.started
  return silentMs > LEASE_LEFT_MS
}
