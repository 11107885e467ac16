import { describe, expect, it } from '@jest/globals'
import type { PaidReport } from '@cairn/core/insights'
import { paidView } from './paid-view.ts'

const USD = 1_000_000_000n
const report: PaidReport = {
  rows: [
    {
      provider: 'anthropic',
      requests: 1_236,
      unpricedRequests: 0,
      equivalentNano: 345_500_000_000n,
      paidNano: 149_000_000_000n,
      savedNano: 196_500_000_000n,
      parts: [
        {
          kind: 'subscription',
          name: 'Max',
          project: null,
          monthlyNano: 100n * USD,
          since: '2026-03-01',
          until: '2026-03-14',
          days: 14,
          requests: 1_200,
          unpricedRequests: 0,
          equivalentNano: 300n * USD,
          paidNano: 45_161_290_323n,
        },
        {
          kind: 'discount',
          percent: 12.5,
          project: '/work/shop',
          since: null,
          until: null,
          requests: 36,
          unpricedRequests: 0,
          equivalentNano: 45_500_000_000n,
          paidNano: 39_812_500_000n,
        },
      ],
    },
    {
      provider: 'unknown',
      requests: 1,
      unpricedRequests: 1,
      equivalentNano: 0n,
      paidNano: 0n,
      savedNano: 0n,
      parts: [{ kind: 'pay-as-you-go', requests: 1, unpricedRequests: 1, equivalentNano: 0n, paidNano: 0n }],
    },
  ],
  total: {
    requests: 1_237,
    unpricedRequests: 1,
    equivalentNano: 345_500_000_000n,
    paidNano: null,
    savedNano: null,
  },
}

describe('paidView', () => {
  it('is nothing where nothing is set, or nothing to be shown', () => {
    expect(paidView(null)).toBeNull()
    expect(paidView({ ...report, rows: [] })).toBeNull()
  })

  it('has a line for each way in which a provider is paid', () => {
    expect(paidView(report)).toEqual({
      lines: [
        {
          provider: 'anthropic',
          isFirst: true,
          by: 'Max',
          terms: '$100.00 a month, 14 days, from 2026-03-01, to 2026-03-14',
          requests: '1,200',
          equivalent: '$300.00',
          paid: '$45.16',
          saved: '$254.84',
        },
        {
          provider: 'anthropic',
          isFirst: false,
          by: '12.5% off',
          terms: 'of /work/shop',
          requests: '36',
          equivalent: '$45.50',
          paid: '$39.81',
          saved: '$5.69',
        },
        {
          provider: 'unknown',
          isFirst: true,
          by: 'Pay-as-you-go',
          terms: '',
          requests: '1',
          equivalent: '$0.00 + ?',
          paid: '$0.00',
          saved: '$0.00',
        },
      ],
      total: { requests: '1,237', equivalent: '$345.50 + ?', paid: '–', saved: '–' },
      isPart: true,
    })
  })
})
