import { describe, expect, it } from '@jest/globals'
import { retentionAgeMs } from './retention-age.ts'

const DAY_MS = 86_400_000

describe('retentionAgeMs', () => {
  it('reads days, weeks and years', () => {
    expect(['1d', '365d', '12w', '2y'].map(retentionAgeMs)).toEqual([DAY_MS, 365 * DAY_MS, 84 * DAY_MS, 730 * DAY_MS])
  })

  it('takes nothing that could be meant otherwise', () => {
    for (const text of ['', '0d', '-1d', '90', '1.5y', '1m', '90 d', '90D', '10000d', 'd'])
      expect(retentionAgeMs(text)).toBeUndefined()
  })
})
