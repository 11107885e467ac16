import { describe, expect, it } from '@jest/globals'
import type { HealthReport } from '@cairn/core'
import { cleanedText, healthTexts } from './health-text.ts'

const use = { hits: 0, misses: 0, repeats: 0, shared: 0, promotions: 0, evictions: 0, refusals: 0, bytes: 0 }
const health: HealthReport = {
  score: 71,
  parts: [
    { name: 'writes', score: 0.9, weight: 0.3, value: 62.4 },
    { name: 'failures', score: 0.5, weight: 0.3, value: 0.025 },
    { name: 'caches', score: 0.75, weight: 0.3, value: 0.75 },
    { name: 'heap', score: 1, weight: 0.1, value: 0.04 },
  ],
  writeMs: { p50: 4, p95: 62.4 },
  batchMs: null,
  failures: { 'storage-busy': 2, 'storage\u001b[31m': 1 },
  caches: [
    { name: 'packs', ...use, hits: 3, misses: 1, repeats: 1, promotions: 2_304, evictions: 1_200 },
    { name: 'search pages', ...use, promotions: 6, evictions: 5, refusals: 3 },
  ],
  budgetBytes: 256_000_000,
  trend: [3_000_000, 12_000_000].map((cacheBytes, index) => ({
    at: index,
    writes: 1,
    failures: 0,
    p50Ms: null,
    p95Ms: null,
    hitRate: null,
    heapBytes: 5,
    cacheBytes,
  })),
}

describe('health in sentences', () => {
  it('tells the score with what it is made of, failures by their code, and the memory of caches', () => {
    const [score, failures, memory] = healthTexts(health)
    expect(score).toBe(
      '71 of 100: 95 % of writes within 62 ms (90 of 100), 2.5 % of writes failed (50 of 100), 75.0 % of what was needed again was in memory (75 of 100), 4.0 % of the heap in use (100 of 100)',
    )
    expect(failures).toContain('storage-busy 2')
    expect(failures).not.toContain('\u001b')
    expect(memory).toBe(
      'caches held up to 12.0 MB of 256 MB; 2.31k entries were used again and kept longer, 1.21k made way for others, 3 were too large',
    )
  })

  it('says when nothing was measured', () => {
    expect(healthTexts({ ...health, score: null, parts: [] })).toEqual(['nothing was measured in the last day'])
  })
})

describe('the last clean-up', () => {
  const row = { source: 'store', kind: 'name', found: 3, bytes: 9, reason: 'x' }
  it('is told with what it removed', () => {
    expect(cleanedText(null)).toBe('not yet (cairn cleanup)')
    const report = { at: 0, dryRun: false, ms: 1, rows: [{ ...row, removed: 3 }], problems: [] }
    expect(cleanedText(report)).toMatch(/, 3 leftovers removed$/)
    expect(cleanedText({ ...report, rows: [], problems: [{ source: 'a', message: 'b' }] })).toMatch(
      /, nothing to remove, 1 part not done$/,
    )
  })
})
