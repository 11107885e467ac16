/** A store on PostgreSQL as an older version left it, and a program of that version that goes on writing to it. */
import type { EntryWrite } from '@cairn/core'
import { migrations } from '../generated/postgresql/migrations.ts'
import { processBudget } from '../health/process-budget.ts'
import { PackReader } from '../packs/pack-reader.ts'
import { PostgresDatabase } from '../postgres/postgres-database.ts'
import { Appends } from '../repository/appends.ts'
import { LabelCache } from '../repository/labels.ts'
import { INDEX_SIZES } from '../search/index-sizes.ts'
import { IndexMaintenance } from '../search/index-maintenance.ts'
import { tables } from '../sql/schema.ts'
import type { Table } from '../sql/schema.ts'

/** The version before branches of sessions. */
const oldMigrations = migrations.filter(({ name }) => name < '20261124000645')

/** Columns that this version writes and the old one has not. */
const LATER_COLUMNS: ReadonlyMap<Table, string> = new Map([[tables.entry, 'checksum']])

/**
 * Lets the database leave out {@link LATER_COLUMNS} of what is inserted, as the old program does not know them. Changes
 * the database given.
 */
const forgetLaterColumns = (database: PostgresDatabase): void => {
  const transact = database.transaction.bind(database)
  database.transaction = (options, work) =>
    transact(options, (transaction) => {
      const insert = transaction.insert.bind(transaction)
      transaction.insert = (table, columns, rows, onConflict) => {
        const later = columns.indexOf(LATER_COLUMNS.get(table) ?? '')
        const known = <T>(values: readonly T[]): T[] => values.filter((_, index) => index !== later)
        return insert(table, known(columns), rows.map(known), onConflict)
      }
      return work(transaction)
    })
}

const T0 = Date.UTC(2026, 0, 31)

export interface OldProgram {
  /** Appends so many messages to a session, at its end. */
  append(session: string, count: number): Promise<void>
  /** How many messages of a session were acknowledged. */
  acknowledged(session: string): number
  close(): Promise<void>
}

/** The facts of a session by its name. */
const factsOf = (session: string) => ({
  id: `cairn:${session}`,
  agent: 'cairn',
  externalId: session,
  workspace: '/work/shop',
  branch: 'main',
})

/** Every third message is a request, every seventh long enough for a block of its own. */
const writeOf = (session: string, index: number): EntryWrite => ({
  entry: {
    kind: 'message',
    id: `${session}-${index}`,
    at: T0 + index,
    role: 'assistant',
    content: [{ type: 'text', text: `${session} says ${index} `.repeat(index % 7 === 0 ? 60 : 1) }],
  },
  externalId: `${session}-${index}`,
  ...(index % 3 === 0
    ? {
        request: {
          callId: `${session}-${index}`,
          at: T0 + index,
          model: `model-${index % 5}`,
          inputTokens: 3 + index,
          cacheReadTokens: 1_000,
          cacheWrite5mTokens: 20,
          cacheWrite1hTokens: 0,
          outputTokens: 1 + (index % 900),
          costNano: BigInt(25_000 + index),
          costState: 'computed' as const,
        },
        visibleCharacters: 10,
      }
    : {}),
})

/** Opens a store as the older version, which makes it where there is none. Rejects as `PostgresDatabase.open` does. */
export const openOldProgram = async (address: string): Promise<OldProgram> => {
  const database = await PostgresDatabase.open(address, oldMigrations)
  forgetLaterColumns(database)
  const maintenance = new IndexMaintenance(database, INDEX_SIZES)
  const appends = new Appends({
    database,
    maintenance,
    labels: new LabelCache(),
    packs: new PackReader(database, processBudget()),
    pending: new Map(),
  })
  const counts = new Map<string, number>()
  return {
    append: async (session, count) => {
      const from = counts.get(session) ?? 0
      const writes = Array.from({ length: count }, (_, index) => writeOf(session, from + index))
      const result = await appends.append(factsOf(session), from, writes)
      if (!result.ok) throw new Error(`${session} has ${result.error.actualSeq} entries, not ${from}`)
      counts.set(session, from + count)
    },
    acknowledged: (session) => counts.get(session) ?? 0,
    close: async () => {
      await appends.idle()
      await maintenance.endImports()
      await database.close()
    },
  }
}
