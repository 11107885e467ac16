/** Log entries as rows: codes of kinds and roles (they stand in the database: never reuse one), bodies. */
import type { EntryKind, LogEntry, NewLogEntry, Role } from '@cairn/core'

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
}
const roles: Readonly<Record<Role, number>> = { user: 1, assistant: 2, system: 3, tool: 4 }

export const kindCode = (kind: EntryKind): number => kinds[kind]
export const roleCode = (role: Role): number => roles[role]
export const roleOf = (code: number | null): Role =>
  (Object.entries(roles).find(([, number]) => number === code)?.[0] ?? 'user') as Role

/** What of an entry is kept in its body: `seq` and `at` are columns. */
export const bodyOf = (entry: NewLogEntry): NewLogEntry & { readonly at: undefined } =>
  ({ ...entry, at: undefined }) as NewLogEntry & { readonly at: undefined }

/** An entry from its row. Entries are only ever written by {@link bodyOf}, so the shape is known. */
export const entryOf = (seq: number, at: number | null, body: unknown): LogEntry =>
  ({ ...(body as Omit<LogEntry, 'seq' | 'at'>), seq, at }) as LogEntry
