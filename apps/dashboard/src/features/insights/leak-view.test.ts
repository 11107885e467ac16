import { describe, expect, it } from '@jest/globals'
import type { Leak, LeakReport } from '@cairn/core/insights'
import { findCase } from './leak-case.ts'
import { leaksView, sessionsOfCases } from './leak-view.ts'

const leak = (kind: Leak['kind'], view: boolean, costNano: bigint): Leak => ({
  kind,
  view,
  title: kind,
  advice: 'Do so.',
  costNano,
  share: Number(costNano) / 20e9,
  certainty: 'upper-bound',
  requests: 1_234,
  examples: [{ sessionId: 'a:b/c', at: 5, request: 3, seq: 7, costNano, cause: null }],
  causes: [],
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
    expect(view.views.map(({ kind }) => kind)).toEqual(['prefix'])
    expect(view.beside).toMatchObject({ kind: 'missing-output', cost: '$0.5000' })
    expect(findCase('missing-output:3', view)).toMatchObject({ request: 3 })
  })

  it('names the sessions of its cases, and requests without a cost', () => {
    const report = {
      total: { ...total, requests: 12, unpricedRequests: 2 },
      leakedNano: 0n,
      leaks: [leak('pause', false, 3_000_000_000n)],
    }
    expect(sessionsOfCases(report)).toEqual(['a:b/c'])
    const view = leaksView(report, new Map([['a:b/c', 'Fix the build']]))
    expect(view.leaks[0]?.examples).toMatchObject([{ cost: '$3.00', at: 5, title: 'Fix the build' }])
    expect(view.unpriced).toBe('2 of 12 requests have no cost')
    const one = leaksView({ ...report, total: { ...total, requests: 1, unpricedRequests: 1 } })
    expect([one.unpriced, one.leaks[0]?.examples[0]?.title]).toEqual(['1 of 1 request has no cost', null])
    expect(leaksView({ ...report, total }).unpriced).toBeNull()
  })

  it('has the parts of a leak with several causes', () => {
    const broken = leak('cache-break', false, 3_000_000_000n)
    const examples = broken.examples.map((example) => ({ ...example, cause: 'skill' as const }))
    const part = {
      cause: 'skill',
      title: 'A skill',
      certainty: 'likely',
      advice: 'First.',
      costNano: 3_000_000_000n,
      requests: 1,
    } as const
    const view = leaksView({ total, leakedNano: 0n, leaks: [{ ...broken, causes: [{ ...part, examples }] }] })
    expect(view.leaks[0]?.causes).toMatchObject([
      {
        cause: 'skill',
        title: 'A skill',
        certainty: 'likely',
        advice: 'First.',
        cost: '$3.00',
        requests: '1 request',
      },
    ])
    expect(findCase('cache-break:3', view)).toMatchObject({ cause: { cause: 'skill' }, examples: [{ cost: '$3.00' }] })
    expect(findCase('cache-break:4', view)).toBeUndefined()
  })

  it('has nothing of nothing', () => {
    const view = leaksView({ total: { ...total, requests: 0, costNano: 0n }, leakedNano: 0n, leaks: [] })
    expect(view).toMatchObject({ isEmpty: true, leakedShare: '0.0%', missing: null, leaks: [], views: [] })
  })
})
