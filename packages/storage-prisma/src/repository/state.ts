/** Settings and state by scope. */
import type { JsonValue, StateScope, StateStorage } from '@cairn/core'
import type { LazyClient } from '../prisma/client.ts'
import { storedJson } from '../sql/damaged.ts'
import type { SqlDatabase } from '../sql/database.ts'
import { assertRowsIntact, rowChecksum } from '../sql/row-checksum.ts'
import { tables } from '../sql/schema.ts'
import { storableText } from './labels.ts'

const scopeKey = (scope: StateScope): string => {
  switch (scope.tier) {
    case 'global':
      return 'global'
    case 'workspace':
      return `workspace:${storableText(scope.workspace)}`
    case 'session':
      return `session:${storableText(scope.sessionId)}`
  }
}

interface StateRow {
  readonly scope: string
  readonly key: string
  readonly value: string
  readonly updatedAt: number | bigint
  readonly checksum: number | null
}

/** Settings and state by scope on SQLite or PostgreSQL. For its methods see {@link StateStorage}. */
export class PrismaStateStorage implements StateStorage {
  readonly #location: string
  readonly #client: Pick<LazyClient, 'get'>
  /** Set where the store can't be written: the client opens it for writing. */
  readonly #readOnly: SqlDatabase | undefined

  /** @param location of the store, for people */
  constructor(location: string, client: Pick<LazyClient, 'get'>, readOnly?: SqlDatabase) {
    this.#location = location
    this.#client = client
    this.#readOnly = readOnly
  }

  async get(scope: StateScope, key: string): Promise<JsonValue | undefined> {
    if (this.#readOnly !== undefined) return (await this.all(scope)).get(storableText(key))
    const { state } = await this.#client.get()
    const row = await state.findUnique({ where: { scope_key: { scope: scopeKey(scope), key: storableText(key) } } })
    return row === null ? undefined : this.#valueOf(row)
  }

  async all(scope: StateScope): Promise<ReadonlyMap<string, JsonValue>> {
    if (this.#readOnly !== undefined) {
      const rows = await this.#readOnly.all<StateRow>(
        'SELECT scope, "key", value, updated_at AS "updatedAt", checksum FROM state WHERE scope = ? ORDER BY "key"',
        [scopeKey(scope)],
      )
      return new Map(rows.map((row) => [row.key, this.#valueOf(row)]))
    }
    const { state } = await this.#client.get()
    const rows = await state.findMany({ where: { scope: scopeKey(scope) }, orderBy: { key: 'asc' } })
    return new Map(rows.map((row) => [row.key, this.#valueOf(row)]))
  }

  #valueOf({ updatedAt, ...row }: StateRow): JsonValue {
    const stored = { ...row, updated_at: updatedAt }
    assertRowsIntact(this.#location, tables.state, [stored])
    return storedJson(row.value, `the setting ${row.key}`)
  }

  async set(scope: StateScope, values: ReadonlyMap<string, JsonValue | undefined>): Promise<void> {
    // Rejects with a sentence.
    await this.#readOnly?.transaction({ durability: 'lazy' }, () => Promise.resolve())
    const client = await this.#client.get()
    const where = { scope: scopeKey(scope) }
    const updatedAt = BigInt(Date.now())
    await client.$transaction(
      [...values].map(([name, value]) => {
        const key = storableText(name)
        if (value === undefined) return client.state.deleteMany({ where: { ...where, key } })
        const text = JSON.stringify(value)
        const checksum = rowChecksum(tables.state, { ...where, key, value: text, updated_at: updatedAt })
        return client.state.upsert({
          where: { scope_key: { ...where, key } },
          create: { ...where, key, value: text, updatedAt, checksum },
          update: { value: text, updatedAt, checksum },
        })
      }),
    )
  }
}
