import { describe, expect, it } from '@jest/globals'
import type { PolicyReplay } from '@cairn/core'
import { billText, type Bill } from './replay-bill.ts'
import { tableLines } from '../terminal/table.ts'
import { textWidth } from '../terminal/text-width.ts'
import { inputTable, reportJson, savedText, unsendableText } from './replay-report.ts'

const replay = (policy: string, costUsd: number, more: Partial<PolicyReplay> = {}): PolicyReplay => ({
  policy,
  requests: 100,
  costUsd,
  costWithRestoresUsd: costUsd,
  cacheHitRatio: 0,
  peakTokens: 0,
  removals: 0,
  rewrites: 0,
  overflows: 0,
  references: 0,
  referencesVisible: 0,
  anchors: 0,
  anchorsVisible: 0,
  missedReferences: 0,
  missedContent: 0,
  byKind: {},
  costByClass: { read: 0, fresh: 0, rewritten: 0, cold: 0, output: 0, restores: 0 },
  tokensByUse: {
    prefix: 0,
    user: 0,
    program: 0,
    replies: 0,
    reasoning: 0,
    reads: 0,
    edits: 0,
    commands: 0,
    searches: 0,
    otherTools: 0,
    inserted: 0,
  },
  ...more,
})
const none = replay('none', 10)

const bill = (costUsd: number, more: Partial<Bill> = {}): Bill => ({
  requests: 100,
  costUsd,
  unpricedRequests: 0,
  costAtPricesUsd: costUsd,
  arePricesOwn: true,
  peakTokens: 90_000,
  cacheHitRatio: 0.9,
  model: 'm',
  ...more,
})
const textOf = (policies: readonly PolicyReplay[], recorded = replay('recorded', 6)) =>
  savedText({ policies, none, recorded })

describe('the table of input tokens', () => {
  const names = ['none', 'cline', 'clio', 'cache-aware', 'recorded']
  const uses = replay('x', 0).tokensByUse
  const policies = names.map((name, index) =>
    replay(name, 1, {
      tokensByUse: {
        ...uses,
        prefix: 6_540_000,
        program: 7_460_000 * (index + 1),
        reads: 52_600_000,
        inserted: 728_000,
        replies: 999,
      },
    }),
  )
  const linesOf = (all: readonly PolicyReplay[], width: number) => {
    const { head, rows, total = '', dropped } = tableLines({ ...inputTable(all, width), width })
    return { lines: [head, ...rows, total], dropped }
  }

  it('fits 80 columns with all policies and what the agent did, each number under the others', () => {
    const { lines, dropped } = linesOf(policies, 80)
    expect(dropped).toEqual([])
    for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(80)
    expect(lines[2]).toMatch(/^the agent's program {2}7\.46M 11 % {2}/)
    const ends = lines.slice(1).map((line) => /^[a-z' ]+? +[\d.]+[kM]?(?= )/i.exec(line)?.[0].length)
    expect(new Set(ends).size).toBe(1)
  })

  it('is without shares where they take too much, then without the last policies', () => {
    const all = [...policies, replay('all', 1, { tokensByUse: { ...uses, reads: 1000 } })]
    const narrow = linesOf(all, 80)
    expect(narrow.dropped).toEqual([])
    expect(narrow.lines.join('\n')).not.toContain('%')
    const narrowest = linesOf(all, 40)
    expect(narrowest.dropped).toEqual(['all', 'recorded', 'cache-aware'])
    for (const line of [...narrow.lines, ...narrowest.lines]) expect(textWidth(line)).toBeLessThanOrEqual(80)
  })
})

describe('the last sentence of a replay', () => {
  it('compares with what the agent sent, never with a history that nobody sent', () => {
    expect(textOf([none, replay('clio', 5)])).toBe(
      'Append only, simulated, costs $10.00; what the agent did, simulated, $6.00. clio, simulated, costs $5.00: $1.00 (16.7 %) less than what the agent did; with no counted miss.',
    )
    expect(textOf([none, replay('clio', 5.8, { missedReferences: 2 })])).toMatch(
      /\$0\.2000 \(3\.3 %\) less than what the agent did; with 2 counted misses\.$/,
    )
  })

  it.each([0.5, 50])('tells the same saving where $%d were paid for what costs $6 in the simulation', (paid) => {
    const clio = replay('clio', 5)
    const dearer = replay('cline', 7)
    const recorded = replay('recorded', 6)
    const json = reportJson(
      { session: 's', recordedChanges: 1 },
      {
        window: 1,
        prefix: 0,
        prices: { input: 1, output: 1, write: 1, read: 1 },
        cacheLifetime: 0,
        charactersPerToken: 1,
        reply: 0,
      },
      { policies: [clio, dearer], none, recorded },
      bill(paid),
    )
    expect(json).toMatchObject({
      paid: { basis: 'recorded', costUsd: paid },
      policies: [{ savedAgainstRecordedUsd: 1 }, { savedAgainstRecordedUsd: -1 }],
    })
    expect(textOf([clio, dearer], recorded)).toContain('$1.00 (16.7 %) less than what the agent did')
    expect(textOf([dearer], recorded)).toContain('no policy would have saved anything of that.')
  })

  it("prefers policies that fit the window, and never names the agent's own context", () => {
    const over = replay('cline', 1, { overflows: 92 })
    expect(textOf([none, over, replay('clio', 5), replay('recorded', 0.5)])).toContain('clio, simulated, costs $5.00')
    expect(textOf([none, over, replay('clio', 15)])).toContain(
      'no policy that fits the window would have saved anything of that.',
    )
    expect(textOf([none])).toBe('Append only, simulated, costs $10.00; what the agent did, simulated, $6.00.')
  })

  it('warns of requests that could not have been sent', () => {
    expect(unsendableText([replay('none', 10, { overflows: 99 }), replay('clio', 5)])).toBeUndefined()
    expect(unsendableText([none, replay('cline', 1, { overflows: 92 })])).toBe(
      'Warning: 92 of 100 requests under cline are larger than the window and could not have been sent; the cost counts them as if they had.',
    )
  })

  it('says what was paid, and why a replay of the same costs something else', () => {
    expect(billText(bill(5.5))).toMatch(
      /^Paid, as recorded: \$5\.50 for 100 requests, the largest of 90\.0k tokens, 90\.0 % of the input cached; subagents left out\. What was paid differs from what the same costs here, because [^.]*\.$/,
    )
    const others = bill(5.5, { arePricesOwn: false, costAtPricesUsd: 7, unpricedRequests: 2 })
    expect(billText(others)).toMatch(
      /\$5\.50, without 2 requests of unknown cost, for .* These tokens at the prices above: \$7\.00/,
    )
    expect(billText(undefined)).toContain('not known')
  })
})
