import { describe, expect, it } from '@jest/globals'
import type { SessionSummary } from '@cairn/core'
import { textWidth } from '../terminal/text-width.ts'
import { idInTable, shownIds } from './session-ids.ts'
import type { NamedSession } from './session-ids.ts'

const session = (externalId: string, agent = 'codex'): NamedSession => ({ id: `${agent}:${externalId}`, externalId })

/** Resolves ids as the store does: an exact match alone, else all that have this beginning. */
const storeOf = (all: readonly NamedSession[]) => ({
  resolve: (text: string, limit = 10) => {
    const exact = all.filter(({ id, externalId }) => id === text || externalId === text)
    const begins = (name: string): boolean => name.toLowerCase().startsWith(text.toLowerCase())
    const found =
      exact.length > 0 ? exact : all.filter(({ id, externalId }) => begins(id) || begins(externalId)).slice(0, limit)
    return Promise.resolve(found as unknown as readonly SessionSummary[])
  },
})

describe('shownIds', () => {
  it('has eight characters, or more where another session has the same beginning', async () => {
    const rows = [session('0ccf1a04-77'), session('019a1b2c-1111'), session('019a1b2c-1122'), session('short')]
    const other = session('0CCF1A04-78')
    expect([...(await shownIds(rows, storeOf([...rows, other]))).values()]).toEqual([
      '0ccf1a04-77',
      '019a1b2c-111',
      '019a1b2c-112',
      'short',
    ])
    expect([...(await shownIds(rows, storeOf(rows))).values()]).toEqual([
      '0ccf1a04',
      '019a1b2c-111',
      '019a1b2c-112',
      'short',
    ])
  })

  it('always gives an id that finds its session', async () => {
    const all = [
      session('same'),
      session('same', 'pi'),
      session('codex:sam'),
      session('a'),
      session('aa'),
      session('session-1'),
      session('session-10'),
      session('session-'),
    ]
    const store = storeOf(all)
    for (const [id, shown] of await shownIds(all, store))
      expect((await store.resolve(shown)).map((found) => found.id)).toEqual([id])
  })
})

describe('an id in a table', () => {
  it('is whole if it is a UUID behind the name of an agent; what is far longer is cut, by columns', () => {
    const long = 'claude-code:5f0c1a2b-0000-4000-8000-000000000001'
    expect(idInTable(long)).toBe(long)
    for (const id of ['x'.repeat(5000), '長'.repeat(5000)]) {
      expect(textWidth(idInTable(id))).toBeLessThanOrEqual(48)
      expect(idInTable(id)).toMatch(/…$/)
    }
  })
})
