/** Settings and caches in three tiers. */
import type { JsonValue, StateScope, StateStorage } from '@cairn/core'
import type { LazyClient } from '../prisma/client.ts'
import type { SqlDatabase } from '../sql/database.ts'
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

export class PrismaStateStorage implements StateStorage {
  readonly #client: LazyClient
  /** Set where the store can't be written: the client opens it for writing. */
  readonly #readOnly: SqlDatabase | undefined

  constructor(client: LazyClient, readOnly?: SqlDatabase) {
    this.#client = client
    this.#readOnly = readOnly
  }

  async get(scope: StateScope, key: string): Promise<JsonValue | undefined> {
    if (this.#readOnly !== undefined) return (await this.all(scope)).get(storableText(key))
    const { state } = await this.#client.get()
    const row = await state.findUnique({ where: { scope_key: { scope: scopeKey(scope), key: storableText(key) } } })
    return row === null ? undefined : (JSON.parse(row.value) as JsonValue)
  }

  async all(scope: StateScope): Promise<ReadonlyMap<string, JsonValue>> {
    if (this.#readOnly !== undefined) {
      const rows = await this.#readOnly.all<{ key: string; value: string }>(
        'SELECT "key", value FROM state WHERE scope = ? ORDER BY "key"',
        [scopeKey(scope)],
      )
      return new Map(rows.map((row) => [row.key, JSON.parse(row.value) as JsonValue]))
    }
    const { state } = await this.#client.get()
    const rows = await state.findMany({ where: { scope: scopeKey(scope) }, orderBy: { key: 'asc' } })
    return new Map(rows.map((row) => [row.key, JSON.parse(row.value) as JsonValue]))
  }

  async set(scope: StateScope, values: ReadonlyMap<string, JsonValue | undefined>): Promise<void> {
    // Is refused with a sentence.
    await this.#readOnly?.transaction({ durability: 'lazy' }, () => Promise.resolve())
    const client = await this.#client.get()
    const where = { scope: scopeKey(scope) }
    const updatedAt = BigInt(Date.now())
    await client.$transaction(
      [...values].map(([name, value]) => {
        const key = storableText(name)
        if (value === undefined) return client.state.deleteMany({ where: { ...where, key } })
        const text = JSON.stringify(value)
        return client.state.upsert({
          where: { scope_key: { ...where, key } },
          create: { ...where, key, value: text, updatedAt },
          update: { value: text, updatedAt },
        })
      }),
    )
  }
}
