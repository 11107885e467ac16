import { describe, expect, it } from '@jest/globals'
import type { SessionSummary, UsageReport } from '@cairn/core'
import { emptyTotals } from '@cairn/core'
import { usageLines } from '../output/usage-table.ts'
import { textWidth } from '../terminal/text-width.ts'
import { sessionLines } from './session-list.ts'

const WIDTH = 200

const session = (requests: number, unpricedRequests: number, costNano: bigint): SessionSummary => ({
  id: `cairn:${requests}`,
  agent: 'cairn',
  externalId: String(requests),
  workspace: null,
  branch: null,
  title: null,
  startedAt: null,
  updatedAt: null,
  entries: 1,
  messages: 1,
  favourite: false,
  redactions: 0,
  requests,
  costNano,
  missingOutputCostNano: 0n,
  unpricedRequests,
})

const DOLLAR = 1_000_000_000n
const SESSIONS = [session(2, 0, DOLLAR), session(3, 1, DOLLAR), session(4, 4, 0n), session(0, 0, 0n)]

const costsOf = (sessions: readonly SessionSummary[]): readonly string[] =>
  sessionLines({ sessions }, new Map(), WIDTH)
    .slice(1)
    .map((line) => /\$[\d.]+(?: \+ \?)?|unpriced/.exec(line)?.[0] ?? '')

describe('the costs of a list of sessions', () => {
  it('mark what has no known price', () => {
    expect(costsOf(SESSIONS)).toEqual(['$1.00', '$1.00 + ?', 'unpriced', '$0.00', '$2.00 + ?'])
    expect(costsOf(SESSIONS.slice(2, 3))).toEqual(['unpriced', 'unpriced'])
    expect(costsOf([])).toEqual(['$0.00'])
  })

  it('are formatted as in a usage report', () => {
    const rows = SESSIONS.map(({ id, requests, costNano, unpricedRequests }) => ({
      ...emptyTotals,
      key: id,
      requests,
      costNano,
      unpricedRequests,
    }))
    const total = { ...emptyTotals, requests: 9, costNano: 2n * DOLLAR, unpricedRequests: 5 }
    const report: UsageReport = { rows, total }
    const { lines } = usageLines(report, 'session', ({ key }) => key, WIDTH)
    const costs = lines.slice(1).map((line) => /\$[\d.]+(?: \+ \?)?|unpriced/.exec(line)?.[0])
    expect(costs).toEqual(costsOf(SESSIONS))
  })
})

it.each([40, 44, 50, 59])('in %i columns a list of sessions still has titles', (width) => {
  const named = { ...session(12, 0, 1_234n * DOLLAR), title: 'Why does the login test fail?', updatedAt: 0 }
  const lines = sessionLines({ sessions: [named] }, new Map([[named.id, '0ccf1a04']]), width)
  for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(width)
  expect(lines[1]).toMatch(/^0ccf1a04 .* Why does t/)
})

describe('a list of sessions in 80 columns', () => {
  it('has whole names of agents, whatever the total costs', () => {
    const named = ['claude-code', 'codex', 'roo'].map((agent, index) => ({
      ...session(100 + index, 0, 12n * DOLLAR),
      agent,
      workspace: '/code/a-project-with-a-name',
      title: 'A title that is as long as titles are, or longer',
      missingOutputCostNano: 2n * DOLLAR,
    }))
    const lines = sessionLines({ sessions: [...named, session(4, 4, 0n)] }, new Map(), 80)
    expect(lines.slice(1, 4).map((line) => line.split(/ +/)[2])).toEqual(['claude-code', 'codex', 'roo'])
    expect(lines.at(-1)).toMatch(/ \$36\.00 \+ ~\$6\.00 \+ \?$/)
    for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(80)
  })

  it('fits also where ids are long and the total has an estimate beside it', () => {
    const id = 'claude-code:5f0c1a2b-0000-4000-8000-000000000001'
    const costs = { ...session(7, 1, 1152n * DOLLAR), missingOutputCostNano: 70n * DOLLAR }
    const long = { ...costs, id, agent: 'claude-code', updatedAt: Date.UTC(2026, 0, 31) }
    const lines = sessionLines({ sessions: [long] }, new Map([[id, id]]), 80)
    for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(80)
    expect(lines[1]).toMatch(/^claude-code:5f0c1a2b-0000-4000-8000-000000000001 .*\$1,152\.00 \+ \?/)
    expect(lines[2]).toMatch(/\$1,152\.00 \+ \?$/)
  })
})
