import { describe, expect, it } from '@jest/globals'
import { isIntact, nextChecksum, rowChecksum } from './row-checksum.ts'
import { tables } from './schema.ts'

const fact = { session_id: 3, at: 1_700_000_000_000, input_tokens: 12, cache_write_5m: 340, cost_nano: 77n }

describe('the checksum of a request', () => {
  it('is the same with later columns at their default as before there were any', () => {
    const before = rowChecksum(tables.usage, fact)
    expect(rowChecksum(tables.usage, { ...fact, cache_write_30m: 0, cache_write_12h: 0 })).toBe(before)
    const stored = { ...fact, cache_write_30m: 0, cache_write_12h: 0, checksum: before }
    expect(isIntact(tables.usage, stored)).toBe(true)
  })

  it('covers what later columns hold, each by its name', () => {
    const checksums = [
      fact,
      { ...fact, cache_write_30m: 5 },
      { ...fact, cache_write_12h: 5 },
      { ...fact, cache_write_30m: 5, cache_write_12h: 5 },
    ].map((row) => rowChecksum(tables.usage, row))
    expect(new Set(checksums).size).toBe(4)
    const row = { ...fact, cache_write_30m: 0, cache_write_12h: 0, checksum: rowChecksum(tables.usage, fact) }
    const changes = { cache_write_30m: 9 }
    const next = nextChecksum(tables.usage, row, changes)
    expect(next).toBe(rowChecksum(tables.usage, { ...fact, ...changes }))
  })
})
