/**
 * The audit log of a team's dashboard: a line of JSON for each text that somebody was shown, each export, and each
 * attempt that was refused. It is a file that is only ever added to, apart from the store, which the dashboard can't write.
 */
import { closeSync, openSync, writeSync } from 'node:fs'
import { CairnError, messageOf } from '@cairn/core'
import type { Role } from './role.ts'

/** What is logged. */
export interface AuditEvent {
  readonly event: 'text' | 'export' | 'refused'
  /** `sub`, and the verified address. */
  readonly subject?: string
  readonly email?: string
  readonly role?: Role
  /** Where it was asked from, as the proxy says. */
  readonly address: string
  /** A procedure, a table, or a path. */
  readonly what: string
  /** What was asked for: a session's id, a search, a selection. */
  readonly input?: string
  readonly status?: number
  readonly reason?: string
}

/** The log of who saw which text, and what was refused. */
export interface Audit {
  /**
   * On the disk's way when it returns.
   * @throws where it can't be written: then nothing may be shown
   */
  write(event: AuditEvent): void
  /** As `write`, but the same as within the last minutes is not repeated: pages ask for what they show again and again. */
  writeOnce(event: AuditEvent): void
  close(): void
}

const LONGEST_TEXT = 500
const REPEATED_MS = 5 * 60_000
const MOST_REPEATED = 10_000

/** Returns a text cut to the longest that is logged; other values unchanged. */
const cut = (value: unknown): unknown =>
  typeof value === 'string' && value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}…`.toWellFormed() : value

/**
 * Opens the log for appending; a new one is readable by this user alone. `write` throws if the disk is full;
 * `writeOnce` skips an event equal to one of the last `REPEATED_MS`. Long texts are cut.
 * @throws CairnError `usage` if it can't be opened
 */
export const openAudit = (path: string, now: () => number = () => Date.now()): Audit => {
  let file: number
  try {
    file = openSync(path, 'a', 0o600)
  } catch (cause) {
    throw new CairnError('usage', `The audit log ${path} can't be written: ${messageOf(cause)}.`, { cause })
  }
  const lately = new Map<string, number>()
  // One call for a line: with O_APPEND, lines of two servers do not mix.
  const write = (event: AuditEvent): void => {
    writeSync(file, `${JSON.stringify({ at: new Date(now()).toISOString(), ...event }, (_key, value) => cut(value))}\n`)
  }
  return {
    write,
    writeOnce(event) {
      const key = JSON.stringify(event)
      const last = lately.get(key)
      if (last !== undefined && now() - last < REPEATED_MS) return
      write(event)
      lately.delete(key)
      lately.set(key, now())
      const [oldest] = lately.keys()
      if (lately.size > MOST_REPEATED && oldest !== undefined) lately.delete(oldest)
    },
    close: () => closeSync(file),
  }
}
