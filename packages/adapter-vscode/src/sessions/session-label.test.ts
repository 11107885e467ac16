import type { SessionSummary } from '@cairn/core'
import { sessionDescription, sessionSpoken, sessionTitle, sessionTooltip } from './session-label.ts'

const session: SessionSummary = {
  id: 'pi:1',
  agent: 'pi',
  externalId: '1',
  workspace: '/code/shop',
  branch: 'main',
  title: 'Fix the login',
  startedAt: 0,
  updatedAt: 3_600_000,
  entries: 4,
  messages: 3,
  favourite: false,
  redactions: 0,
  requests: 2,
  costNano: 1_230_000_000n,
  missingOutputCostNano: 0n,
  unpricedRequests: 0,
}

describe('a session in the list', () => {
  it('shows agent, cost and age', () => {
    expect(sessionDescription(session, 7_200_000)).toBe('pi · $1.23 · 1 h')
    expect(sessionDescription({ ...session, unpricedRequests: 1 }, 3_600_000)).toBe('pi · $1.23+ · now')
    expect(sessionDescription({ ...session, unpricedRequests: 2, updatedAt: null }, 0)).toBe('pi · unpriced')
    expect(sessionDescription({ ...session, missingOutputCostNano: 100_000_000n }, 3_600_000)).toBe(
      'pi · $1.23 + ~$0.1000 · now',
    )
    expect(sessionDescription({ ...session, requests: 0 }, 7_200_000)).toBe('pi · 1 h')
    expect(sessionSpoken(session, 7_200_000)).toBe('Fix the login, pi, $1.23, 1 h ago')
    expect([sessionDescription(session, 0), sessionSpoken(session, 0)]).toEqual([
      'pi · $1.23 · in the future',
      'Fix the login, pi, $1.23, in the future',
    ])
  })

  it('has the agent’s id if it has no title, on one line', () => {
    expect([
      sessionTitle({ ...session, title: ' \n ' }),
      sessionTitle({ ...session, title: 'a\nb\u001b[31m' }),
    ]).toEqual(['1', 'a b␛[31m'])
  })

  it('has no markup from a transcript', () => {
    const tooltip = sessionTooltip({ ...session, title: '[click](command:evil) <img> $(bug)', workspace: '/a|b' })
    expect(tooltip).not.toMatch(/\[click\]\(|<img>/)
    expect(tooltip).toContain('\\[click\\]\\(command\\:evil\\)')
    expect(tooltip).toContain('a\\|b')
  })
})
