/** Settings and caches in three tiers. */
import type { JsonValue, StateScope, StateStorage } from '@cairn/core'
import type { LazyClient } from '../prisma/client.ts'
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

  constructor(client: LazyClient) {
    this.#client = client
  }

  async get(scope: StateScope, key: string): Promise<JsonValue | undefined> {
    const { state } = await this.#client.get()
    const row = await state.findUnique({ where: { scope_key: { scope: scopeKey(scope), key: storableText(key) } } })
    return row === null ? undefined : (JSON.parse(row.value) as JsonValue)
  }

  async all(scope: StateScope): Promise<ReadonlyMap<string, JsonValue>> {
    const { state } = await this.#client.get()
    const rows = await state.findMany({ where: { scope: scopeKey(scope) }, orderBy: { key: 'asc' } })
    return new Map(rows.map((row) => [row.key, JSON.parse(row.value) as JsonValue]))
  }

  async set(scope: StateScope, values: ReadonlyMap<string, JsonValue | undefined>): Promise<void> {
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
