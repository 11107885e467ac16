import { describe, expect, it } from '@jest/globals'
import type { SessionSummary } from '@cairn/core'
import type { LiveSession } from '@cairn/core/insights'
import { textWidth } from '../terminal/text-width.ts'
import { liveLines, liveSessionsJson } from './live-table.ts'

const NOW = 1_000_000_000
const session: SessionSummary = {
  id: 'claude-code:s1',
  agent: 'claude-code',
  externalId: 's1',
  workspace: 'C:\\code\\shop',
  branch: 'main',
  title: 'Mend it',
  startedAt: NOW - 900_000,
  updatedAt: NOW - 1_000,
  entries: 12,
  messages: 11,
  favourite: false,
  redactions: 0,
  requests: 5,
  costNano: 2_340_000_000n,
  unpricedRequests: 0,
  missingOutputCostNano: 0n,
}
const busy: LiveSession = {
  session,
  model: 'claude-sonnet-4-5',
  context: { tokens: 62_100, window: 200_000, windowFrom: 'model' },
  costNanoPerHour: 9_000_000_000n,
  activity: { state: 'tool', call: { name: 'Bash', about: 'npm \u001b[31mtest', at: NOW - 4_000, subagent: null } },
  cache: { tokens: 60_000, expiresAt: NOW + 181_000 },
  budget: null,
}
const quiet: LiveSession = {
  session: { ...session, id: 'codex:s2', externalId: 's2', workspace: null, requests: 0, costNano: 0n },
  model: null,
  context: null,
  costNanoPerHour: null,
  activity: { state: 'person', call: null },
  cache: { tokens: 10, expiresAt: NOW },
  budget: null,
}
const sessions = { now: NOW, sessions: [busy, quiet] }

describe('the table of live sessions', () => {
  it('tells how each stands, and sums what they cost', () => {
    const [head = '', first = '', second = '', total = ''] = liveLines({ ...sessions, inAll: 7 }, new Map(), 160)
    expect(head).toMatch(/^id +agent +project +model +context +cost +an hour +cached +doing/)
    expect(first).toMatch(/^s1 +claude-code +shop +claude-sonnet-4-5 +31 % of 200k +\$2\.34 +\$9\.00 +4 min +Bash npm /)
    expect(first).not.toContain('\u001b')
    expect(second).toMatch(/^s2 +claude-code +- +– +– +\S+ +– +expired +waits for you/)
    expect(total).toMatch(/^Total +\$2\.34 +2 of 7/)
  })

  it.each([40, 60, 80, 120])('fits %i columns', (width) => {
    for (const line of liveLines({ ...sessions, inAll: 7 }, new Map(), width))
      expect(textWidth(line)).toBeLessThanOrEqual(width)
  })

  it('has null in JSON for what is not known', () => {
    const { total, sessions: printed } = liveSessionsJson(sessions)
    expect(total).toBe(2)
    expect(printed).toMatchObject([
      {
        id: 'claude-code:s1',
        costUsd: 2.34,
        costUsdPerHour: 9,
        context: { tokens: 62_100, share: 0.3105 },
        budget: null,
      },
      { id: 'codex:s2', context: null, costUsdPerHour: null, activity: { state: 'person', call: null } },
    ])
  })
})
