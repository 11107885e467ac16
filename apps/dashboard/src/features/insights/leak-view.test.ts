import { describe, expect, it } from '@jest/globals'
import type { Leak, LeakReport } from '@cairn/core/insights'
import { leaksView } from './leak-view.ts'

const leak = (kind: Leak['kind'], view: boolean, costNano: bigint): Leak => ({
  kind,
  view,
  title: kind,
  advice: 'Do so.',
  costNano,
  share: Number(costNano) / 20e9,
  certainty: 'upper-bound',
  requests: 1_234,
  examples: [{ sessionId: 'a:b/c', at: 5, request: 3, seq: 7, costNano }],
})

const total = {
  requests: 2,
  costNano: 20_000_000_000n,
  recordedCostNano: 0n,
  unpricedRequests: 0,
  partialRequests: 0,
  missingOutputTokens: 0,
  missingOutputCostNano: 0n,
} as LeakReport['total']

describe('leaksView', () => {
  it('keeps what adds up apart from views, and leaves out what costs nothing', () => {
    const view = leaksView({
      total,
      leakedNano: 3_000_000_000n,
      leaks: [
        leak('pause', false, 3_000_000_000n),
        leak('re-read', false, 0n),
        leak('prefix', true, 9_000_000_000n),
        leak('missing-output', true, 500_000_000n),
      ],
    })
    expect(view).toMatchObject({
      isEmpty: false,
      requests: '2 requests',
      leaked: '$3.00',
      leakedShare: '15.0%',
      missing: '~$0.5000',
      missingRequests: '1,234 replies',
    })
    expect(view.leaks.map(({ kind, cost, share, certainty }) => [kind, cost, share, certainty])).toEqual([
      ['pause', '$3.00', '15.0%', 'at most'],
    ])
    expect(view.views.map(({ kind }) => kind)).toEqual(['prefix', 'missing-output'])
  })

  it('has nothing of nothing', () => {
    const view = leaksView({ total: { ...total, requests: 0, costNano: 0n }, leakedNano: 0n, leaks: [] })
    expect(view).toMatchObject({ isEmpty: true, leakedShare: '0.0%', missing: null, leaks: [], views: [] })
  })
})
