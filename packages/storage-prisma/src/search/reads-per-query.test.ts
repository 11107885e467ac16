/** A query reads the messages that it returns, however many sessions there are (CLIO parsed every session at each). */
import { afterAll, expect, it } from '@jest/globals'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSearch } from '@cairn/core'
import { migrations } from '../generated/sqlite/migrations.ts'
import { processBudget } from '../health/process-budget.ts'
import { openStore } from '../open-store.ts'
import type { SqlDatabase } from '../sql/database.ts'
import { SqliteDatabase } from '../sqlite/sqlite-database.ts'
import { SearchSource } from './search-source.ts'

const folder = mkdtempSync(join(tmpdir(), 'cairn-reads-'))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What a first and a further question over so many sessions of twelve messages read. */
const readsOf = async (sessions: number): Promise<readonly { readonly entries: number; readonly rows: number }[]> => {
  const path = join(folder, `${sessions}.db`)
  const store = await openStore(`file:${path}`)
  for (let session = 0; session < sessions; session++) {
    const writes = Array.from({ length: 12 }, (_, seq) => ({
      entry: {
        kind: 'message',
        at: session * 1000 + seq,
        id: `m${seq}`,
        role: seq % 2 === 0 ? 'user' : 'assistant',
        content: [{ type: 'text', text: `The parser of session ${session} needs a repair at line ${seq}` }],
      } as const,
    }))
    expect(
      (await store.sessions.append({ id: `cairn:${session}`, agent: 'cairn', externalId: String(session) }, 0, writes))
        .ok,
    ).toBe(true)
  }
  await store.search.search({ text: 'parser' })

  const database = await SqliteDatabase.open(path, migrations)
  const counted = { entries: 0, rows: 0 }
  const counting: Pick<SqlDatabase, 'all' | 'lookup'> = {
    all: async <R>(...given: Parameters<SqlDatabase['all']>): Promise<R[]> => {
      const rows = await database.all<R>(...given)
      counted.rows += rows.length
      return rows
    },
    lookup: async <R>(...given: Parameters<SqlDatabase['lookup']>): Promise<R[]> => {
      const rows = await database.lookup<R>(...given)
      counted.rows += rows.length
      return rows
    },
  }
  const source = new SearchSource(
    Object.assign(Object.create(database) as SqlDatabase, counting),
    {
      read: async (id, range) => {
        const entries = await store.sessions.read(id, range)
        counted.entries += entries.length
        return entries
      },
    },
    processBudget(),
    async () => undefined,
  )
  const search = createSearch(source)
  const reads = []
  for (const text of ['repair the parser', 'line of the session']) {
    Object.assign(counted, { entries: 0, rows: 0 })
    expect(await search.search({ text, limit: 10 })).toHaveLength(10)
    reads.push({ ...counted })
  }
  await database.close()
  await store.close()
  return reads
}

it('a query reads the messages it returns and 40 candidates for a verbatim match, however many sessions there are', async () => {
  const [few, many] = [await readsOf(20), await readsOf(120)]
  for (const reads of [few, many]) expect(reads.map(({ entries }) => entries)).toEqual([50, 50])
  // The index is at hand for the further question: what it reads is of its hits alone.
  expect(many[1]?.rows).toBeLessThanOrEqual((few[1]?.rows ?? 0) + 10)
  expect(many[1]?.rows).toBeLessThan(260)
})
