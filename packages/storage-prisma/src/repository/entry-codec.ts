/** Log entries as rows: codes of kinds and roles (they are stored: never reuse one), bodies. */
import type { EntryKind, LogEntry, Role } from '@cairn/core'
import { appendChecksum, removeChecksum } from '../sql/sealed.ts'

const kinds: Readonly<Record<EntryKind, number>> = {
  message: 1,
  edit: 2,
  pin: 3,
  truncation: 4,
  compaction: 5,
  file: 6,
  model: 7,
  checkpoint: 8,
  todo: 9,
  rewind: 10,
  title: 11,
  favourite: 12,
  notice: 13,
  rewrite: 14,
  'tool-start': 15,
}
const roles: Readonly<Record<Role, number>> = { user: 1, assistant: 2, system: 3, tool: 4 }

/** The number that an entry's kind is stored as; each has one of its own. */
export const kindCode = (kind: EntryKind): number => kinds[kind]
/** The number that a message's role is stored as; each has one of its own. */
export const roleCode = (role: Role): number => roles[role]

/** Precedes a sealed body; bodies of older versions are plain JSON text. */
const SEALED = 1

/** The body of an entry that is stored in the entry's own row, with a checksum; {@link decodeInlineBody} reads it. */
export const encodeInlineBody = (json: Uint8Array): Uint8Array =>
  Buffer.concat([Uint8Array.of(SEALED), appendChecksum(json)])

/**
 * The JSON text of such a body. Throws a RangeError when it is damaged; one of an older version has no checksum and is
 * not checked.
 */
export const decodeInlineBody = (body: Uint8Array): Uint8Array =>
  body[0] === SEALED ? removeChecksum(body.subarray(1)) : body

/**
 * An entry from its row. The body holds what was written, so its shape is known. Both have the time, except for bodies
 * of older versions. Throws a RangeError when the times differ.
 */
export const toLogEntry = (seq: number, at: number | null, body: unknown): LogEntry => {
  const written = body as Omit<LogEntry, 'seq' | 'at'> & { readonly at?: number | null }
  if (written.at !== undefined && written.at !== at) throw new RangeError('an entry of another time than was written')
  return { ...written, seq, at } as LogEntry
}
