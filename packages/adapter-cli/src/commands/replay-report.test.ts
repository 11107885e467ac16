import { describe, expect, it } from '@jest/globals'
import type { PolicyReplay } from '@cairn/core'
import { savedText, unsendableText } from './replay-report.ts'

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

describe('what a replay says in the end', () => {
  it('promises no more than what is counted', () => {
    expect(savedText([none, replay('clio', 5)], none)).toBe(
      'Sending everything costs $10.00; clio would have saved $5.00 of it (50.0 %), with no counted miss.',
    )
    expect(savedText([none, replay('clio', 5, { missedReferences: 2 })], none)).toMatch(/, with 2 counted misses\.$/)
  })

  it('prefers what could have been sent', () => {
    const over = replay('cline', 1, { overflows: 92 })
    expect(savedText([none, over, replay('clio', 5)], none)).toContain('clio would have saved')
    expect(savedText([none, over, replay('clio', 15)], none)).toContain(
      'no policy that fits the window would have saved anything',
    )
  })

  it('warns of what could not', () => {
    expect(unsendableText([replay('none', 10, { overflows: 99 }), replay('clio', 5)])).toBeUndefined()
    expect(unsendableText([none, replay('cline', 1, { overflows: 92 })])).toBe(
      'Warning: 92 of 100 requests under cline are larger than the window and could not have been sent; the cost counts them as if they had.',
    )
  })
})
