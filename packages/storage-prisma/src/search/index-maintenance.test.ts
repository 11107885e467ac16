import { afterAll, describe, expect, it } from '@jest/globals'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { openStore } from '../open-store.ts'
import type { SqlDatabase } from '../sql/database.ts'
import { IndexMaintenance } from './index-maintenance.ts'

const SIZES = { tailMessages: 80, tailBytes: 8_000, merge: 4, largestBytes: 1_000_000 }
const folder = mkdtempSync(join(tmpdir(), 'cairn-maintenance-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A database that has nothing but a tail, and counts how often it is counted. */
const tailOf = () => {
  const tail = { messages: 0, bytes: 0, counted: 0 }
  const all = (): Promise<unknown[]> => {
    tail.counted += 1
    return Promise.resolve([{ messages: tail.messages, bytes: tail.bytes }])
  }
  return { tail, database: { all } as unknown as SqlDatabase }
}

describe('appends to the search index', () => {
  it.each([
    ['few bytes', 10],
    ['many bytes', 95],
  ])('count the tail the more often the fuller it is, with %s a message', async (_, bytesEach) => {
    const { tail, database } = tailOf()
    const maintenance = new IndexMaintenance(database, SIZES)
    const countedAt: number[] = []
    while (tail.messages < 79) {
      tail.messages += 1
      tail.bytes += bytesEach
      const before = tail.counted
      await maintenance.maintainAfter(new Map([[7, 1]]))
      if (tail.counted > before) countedAt.push(tail.messages)
    }
    expect(tail.counted).toBeLessThan(30)
    const gaps = countedAt.slice(1).map((at, index) => at - (countedAt[index] ?? 0))
    expect(gaps).toEqual(gaps.toSorted((a, b) => b - a))
    expect(gaps.at(-1)).toBe(1)
  })

  it('know nothing of a workspace that they have not counted', async () => {
    const { tail, database } = tailOf()
    const maintenance = new IndexMaintenance(database, SIZES)
    for (const workspace of [1, 2, 3]) await maintenance.maintainAfter(new Map([[workspace, 1]]))
    expect(tail.counted).toBe(3)
  })

  it('leave no tail much longer than it may be', async () => {
    const file = join(folder, 'tail.db')
    const store = await openStore(`file:${file}`, { indexSizes: SIZES })
    const reader = new Sqlite(file, { readonly: true })
    const session = { id: 'cairn:one', agent: 'cairn', externalId: 'one', workspace: '/w' }
    let longest = 0
    for (let at = 0; at < 300; at += 1) {
      const content = [{ type: 'text' as const, text: `word${at % 7} of a message` }]
      const entry = { kind: 'message' as const, id: `m${at}`, at, role: 'user' as const, content }
      const { ok } = await store.sessions.append(session, at, [{ entry, externalId: `m${at}` }])
      expect(ok).toBe(true)
      const { messages } = reader.prepare('SELECT count(*) AS messages FROM search_tail').get() as { messages: number }
      longest = Math.max(longest, messages)
    }
    await store.close()
    const { segments } = reader.prepare('SELECT count(*) AS segments FROM search_segment').get() as { segments: number }
    reader.close()
    expect(segments).toBeGreaterThanOrEqual(3)
    expect(longest).toBeLessThan(2 * SIZES.tailMessages)
  })
})
