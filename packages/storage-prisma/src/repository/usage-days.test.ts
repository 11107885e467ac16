import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import type { EntryWrite, Store, UsageQuery } from '@cairn/core'
import { createInMemoryStore } from '@cairn/core/testing'
import { openStore } from '../open-store.ts'

const DAY = 86_400_000
const START = Date.UTC(2011, 8, 1)
const DAYS = 420
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'America/St_Johns',
  'Pacific/Kiritimati',
]

const folder = mkdtempSync(join(tmpdir(), 'cairn-days-'))
let store: Store
const reference = createInMemoryStore()

/** Requests at odd times, many of them near the ends of UTC days; some without a time. */
const writes = Array.from({ length: 900 }, (_, index): EntryWrite => {
  const times = [0, 1, 899_999, 900_000, 43_200_000, 82_800_000, DAY - 1, (index * 104_729) % DAY]
  const at = START + ((index * 7_919) % DAYS) * DAY + (times[index % times.length] ?? 0)
  return {
    entry: { kind: 'message', id: `m${index}`, at, role: 'assistant', content: [] },
    request: {
      callId: `c${index}`,
      at: index % 90 === 0 ? null : at,
      model: `model-${index % 3}`,
      mode: ['plan', 'act', 'ask'][Math.floor(index / 7) % 3] ?? '',
      workspace: `/work/${(index * 11) % 40}`,
      inputTokens: index,
      cacheReadTokens: 1,
      cacheWrite5mTokens: 0,
      cacheWrite1hTokens: 0,
      outputTokens: index % 5,
      costNano: BigInt(index * 1_000_003),
      costState: index % 4 === 0 ? 'recorded' : 'computed',
    },
  }
})

beforeAll(async () => {
  store = await openStore(`file:${join(folder, 'store.db')}`)
  for (const each of [store, reference])
    await each.sessions.append({ id: 'cairn:s', agent: 'cairn', externalId: 's' }, 0, writes)
})

afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Any range, its ends also close to those of UTC days. */
const edge = fc.option(
  fc.oneof(
    fc.integer({ min: -5 * DAY, max: (DAYS + 5) * DAY }),
    fc
      .tuple(
        fc.integer({ min: 0, max: DAYS }),
        fc.constantFrom(-1, 0, 1, 7_200_000, 43_200_000, 43_200_001, 79_200_000),
      )
      .map(([day, ms]) => day * DAY + ms),
  ),
  { nil: undefined },
)

describe('reports by dimension', () => {
  it('equal the sums over single requests, in any range, whole or the dearest alone', async () => {
    await fc.assert(
      fc.asyncProperty(
        edge,
        edge,
        fc.constantFrom('model', 'agent', 'mode', 'session', 'workspace', 'project'),
        fc.constantFrom({}, { model: 'model-1' }, { agent: 'cairn' }),
        fc.constantFrom(undefined, 1, 2),
        async (since, until, by, filter, limit) => {
          const query: UsageQuery = {
            by,
            filter,
            ...(since === undefined ? {} : { since: START + since }),
            ...(until === undefined ? {} : { until: START + until }),
            ...(limit === undefined ? {} : { limit }),
          }
          expect(await store.usage.report(query)).toEqual(await reference.usage.report(query))
        },
      ),
      { numRuns: 200 },
    )
  })
})

describe('days of a filtered view over a long range', () => {
  it('equal the sums over single requests, in any zone and range', async () => {
    await fc.assert(
      fc.asyncProperty(
        edge,
        edge,
        fc.constantFrom(...ZONES),
        fc.constantFrom('day', 'week', 'month'),
        fc.constantFrom({}, { model: 'model-1' }, { agent: 'cairn' }, { model: 'none' }),
        async (since, until, timeZone, by, filter) => {
          const query: UsageQuery = {
            by,
            timeZone,
            filter,
            ...(since === undefined ? {} : { since: START + since }),
            ...(until === undefined ? {} : { until: START + until }),
          }
          expect(await store.usage.report(query)).toEqual(await reference.usage.report(query))
        },
      ),
      { numRuns: 150 },
    )
  })
})
