/** Sums by provider from whole days and pieces of days equal those over single requests, to the nano-USD. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EntryWrite, ProviderSum, ProviderSumsQuery, Store } from '@cairn/core'
import { createInMemoryStore } from '@cairn/core/testing'
import Sqlite from 'better-sqlite3'
import { openStore } from '../open-store.ts'
import { dayPlan } from './provider-days.ts'

const DAY = 86_400_000
const START = Date.UTC(2024, 1, 20)
const DAYS = 40
const REQUESTS = 700

const folder = mkdtempSync(join(tmpdir(), 'cairn-providers-'))
const path = join(folder, 'store.db')
const reference = createInMemoryStore()
let store: Store

/** Costs of one to fourteen digits, at odd times and at the edges of days; some without a time, a price, a folder or a branch. */
const writes = Array.from({ length: REQUESTS }, (_, index): EntryWrite => {
  const times = [0, 1, 43_199_999, 43_200_000, DAY - 1, (index * 104_729_003) % DAY, (index * 7_919_777) % DAY]
  const at = START + ((index * 31) % DAYS) * DAY + (times[index % times.length] ?? 0)
  const provider = [undefined, 'anthropic', 'openrouter'][(index * 5) % 3]
  const branch = [undefined, 'main', 'fix/1', 'fix/2'][(index * 11) % 4]
  return {
    entry: { kind: 'message', id: `m${index}`, at, role: 'assistant', content: [] },
    request: {
      callId: `c${index}`,
      at: index % 50 === 0 ? null : at,
      model: `model-${(index * 13) % 5}`,
      inputTokens: index,
      cacheReadTokens: 1,
      cacheWrite5mTokens: 0,
      cacheWrite1hTokens: 0,
      outputTokens: index % 5,
      costNano: index % 17 === 0 ? null : BigInt(1 + (index % 9)) * 10n ** BigInt(index % 14),
      costState: index % 17 === 0 ? 'unpriced' : index % 4 === 0 ? 'recorded' : 'computed',
      ...(index % 6 === 5 ? {} : { workspace: `/work/${(index * 7) % 4}` }),
      ...(provider === undefined ? {} : { provider }),
      ...(branch === undefined ? {} : { branch }),
    },
  }
})

const fill = async (filled: Store): Promise<void> => {
  for (const agent of ['cairn', 'cline']) {
    const own = writes.filter((_, index) => (index % 3 === 0) === (agent === 'cline'))
    const result = await filled.sessions.append({ id: `${agent}:s`, agent, externalId: 's' }, 0, own)
    expect(result.ok).toBe(true)
  }
}

beforeAll(async () => {
  store = await openStore(`file:${path}`)
  for (const each of [store, reference]) await fill(each)
})

afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const sorted = (sums: readonly ProviderSum[]): readonly string[] =>
  sums.map((sum) => Object.values(sum).map(String).join(' | ')).toSorted()

const time = fc.oneof(
  fc.integer({ min: -3 * DAY, max: (DAYS + 3) * DAY }),
  // Local midnights, and the edges of days.
  fc
    .tuple(fc.integer({ min: -1, max: DAYS }), fc.constantFrom(0, 1, 79_200_000, 18_000_000, DAY - 1))
    .map(([day, ms]) => day * DAY + ms),
)
const queries = fc.record({
  since: fc.option(time, { nil: undefined }),
  until: fc.option(time, { nil: undefined }),
  boundaries: fc.uniqueArray(time, { maxLength: 6 }),
  workspaces: fc.option(fc.subarray(['/work/0', '/work/1', '/work/3', '/nowhere']), { nil: undefined }),
  filter: fc.record(
    {
      project: fc.constantFrom('/work/0', '/work/2', '/nowhere'),
      branch: fc.constantFrom('main', 'fix/1', 'unknown'),
      model: fc.constantFrom('model-1', 'model-4'),
      agent: fc.constantFrom('cairn', 'cline'),
      session: fc.constantFrom('cairn:s'),
    },
    { requiredKeys: [] },
  ),
})

type MadeQuery = typeof queries extends fc.Arbitrary<infer Value> ? Value : never

/** A query with times as the stores take them. */
const queryOf = ({ since, until, boundaries, workspaces, filter }: MadeQuery): ProviderSumsQuery => ({
  ...(since === undefined ? {} : { since: START + since }),
  ...(until === undefined ? {} : { until: START + until }),
  boundaries: boundaries.map((boundary) => START + boundary).toSorted((left, right) => left - right),
  ...(workspaces === undefined ? {} : { workspaces }),
  filter,
})

describe('sums by provider', () => {
  it('equal those over single requests for any range, boundaries and filter', async () => {
    await fc.assert(
      fc.asyncProperty(queries, async (made) => {
        const query = queryOf(made)
        expect(sorted(await store.usage.providerSums(query))).toEqual(sorted(await reference.usage.providerSums(query)))
      }),
      { numRuns: 200 },
    )
  })

  it('are the same after requests were repriced, moved to another provider, deleted, and summed anew', async () => {
    const address = `file:${join(folder, 'changed.db')}`
    const [changed, expected] = [await openStore(address), createInMemoryStore()]
    try {
      for (const each of [changed, expected]) {
        await fill(each)
        const again = writes.slice(0, 60).map((write, index): EntryWrite => {
          const { request } = write
          if (request === undefined) throw new Error('every write has a request')
          return { ...write, request: { ...request, provider: 'mistral', outputTokens: 900 + index } }
        })
        await each.sessions.append({ id: 'cline:other', agent: 'cline', externalId: 'other' }, 0, again)
        await each.sessions.delete('cairn:s')
      }
      const query = { boundaries: [START + 10 * DAY + 5], machines: false }
      const sums = sorted(await expected.usage.providerSums(query))
      expect(sums.length).toBeGreaterThan(20)
      expect(sorted(await changed.usage.providerSums(query))).toEqual(sums)
      expect(await changed.verify()).toEqual([])
      await changed.rebuild()
      expect(sorted(await changed.usage.providerSums(query))).toEqual(sums)
    } finally {
      await changed.close()
    }
  })

  it('reject where the rollup has other figures than another one', async () => {
    const address = join(folder, 'damaged.db')
    const made = await openStore(`file:${address}`)
    await fill(made)
    await made.close()
    expect(existsSync(address)).toBe(true)
    const raw = new Sqlite(address)
    raw.exec(
      'UPDATE usage_provider SET cost_nano = cost_nano + 1 WHERE dimension = 0 AND day = (SELECT max(day) FROM usage_provider)',
    )
    raw.close()
    const damaged = await openStore(`file:${address}`)
    try {
      await expect(damaged.usage.providerSums({ boundaries: [], workspaces: [] })).rejects.toMatchObject({
        code: 'storage-corrupt',
      })
    } finally {
      await damaged.close()
    }
  })
})

describe('the days of a range', () => {
  it('count a day to the span that has most of it, and move only the rest', () => {
    const hour = 3_600_000
    const [since, boundary, until] = [10 * DAY - 2 * hour, 12 * DAY + 5 * hour, 20 * DAY + 4 * hour]
    expect(dayPlan({ since, until }, [boundary])).toEqual({
      runs: [
        { first: 10, end: 12, span: 0 },
        { first: 12, end: 20, span: 1 },
      ],
      pieces: [
        { from: since, until: 10 * DAY, to: 0, of: undefined },
        { from: 12 * DAY, until: boundary, to: 0, of: 1 },
        { from: 20 * DAY, until, to: 1, of: undefined },
      ],
      hasUntimed: false,
    })
  })
})
