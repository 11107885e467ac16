/** What a team's store of several databases is asked before a session is taken in: whether this one has something of it. */
import type { KnownBy, SessionSigns } from '@cairn/core/sync'
import type { SqlReader } from '../sql/database.ts'
import { tables } from '../sql/schema.ts'
import type { Table } from '../sql/schema.ts'
import { storableText } from '../repository/labels.ts'

/** The values of `keys` that a column of a table has, in no particular order. */
const present = async <K extends string | Uint8Array>(
  reader: SqlReader,
  { table, column }: { readonly table: Table; readonly column: string },
  keys: readonly K[],
): Promise<readonly K[]> => {
  if (keys.length === 0) return []
  const rows = await reader.lookup<Record<string, K>>(table, { columns: [column], key: column }, [...new Set(keys)])
  return rows.flatMap((row) => row[column] ?? [])
}

/** Lower-case hex digits. */
export const hex = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')

/**
 * What the store has of each session, in their order: `session` where it has it, or a mark of its deletion; `call`
 * where it has only one of its calls, in whatever session; undefined for nothing.
 */
export const knownBy = async (
  reader: SqlReader,
  sessions: readonly SessionSigns[],
): Promise<readonly (KnownBy | undefined)[]> => {
  const ids = sessions.map(({ id }) => storableText(id))
  const hashes = sessions.flatMap(({ calls }) => calls.map((call) => Buffer.from(call, 'hex')))
  const [stored, deleted, calls] = [
    new Set(await present(reader, { table: tables.session, column: 'key' }, ids)),
    new Set(await present(reader, { table: tables.deletedSession, column: 'key' }, ids)),
    new Set((await present<Uint8Array>(reader, { table: tables.usage, column: 'call_hash' }, hashes)).map(hex)),
  ]
  return sessions.map(({ id, calls: own }) => {
    const key = storableText(id)
    if (stored.has(key) || deleted.has(key)) return 'session'
    return own.some((call) => calls.has(call)) ? 'call' : undefined
  })
}
