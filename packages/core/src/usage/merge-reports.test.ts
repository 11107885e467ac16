import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { RequestFact } from '../ports/usage-storage.ts'
import { mergeReports, type RequestReport } from './merge-reports.ts'

const small = fc.nat({ max: 2 })
const optional = fc.option(fc.constantFrom('a', 'b'), { nil: undefined })

/** Any report at all, with fields that often tie. */
const report: fc.Arbitrary<RequestReport> = fc
  .record({
    session: fc.constantFrom('s1', 's2'),
    at: fc.option(small),
    tokens: fc.tuple(small, small, small, small),
    cost: fc.option(small),
    recorded: fc.boolean(),
    reasoning: fc.option(small),
    mode: optional,
    branch: optional,
    model: fc.constantFrom('m', 'n'),
    visible: small,
  })
  .map(
    ({
      session,
      at,
      tokens: [output, input, read, write],
      cost,
      recorded,
      reasoning,
      mode,
      branch,
      model,
      visible,
    }) => {
      const fact: RequestFact = {
        callId: 'c',
        at,
        model,
        inputTokens: input,
        cacheReadTokens: read,
        cacheWrite5mTokens: 0,
        cacheWrite1hTokens: 0,
        cacheWrite30mTokens: 0,
        cacheWrite12hTokens: write,
        outputTokens: output,
        costNano: cost === null ? null : BigInt(cost),
        costState: cost === null ? 'unpriced' : recorded ? 'recorded' : 'computed',
        ...(reasoning === null ? {} : { reasoningTokens: reasoning }),
        ...(mode === undefined ? {} : { mode }),
        ...(branch === undefined ? {} : { branch }),
      }
      return { sessionId: session, fact, visibleCharacters: visible }
    },
  )

describe('mergeReports', () => {
  it('does not depend on the order', () => {
    fc.assert(
      fc.property(report, report, (a, b) => expect(mergeReports(a, b)).toEqual(mergeReports(b, a))),
      { numRuns: 2000 },
    )
  })

  it('does not depend on the grouping', () => {
    fc.assert(
      fc.property(report, report, report, (a, b, c) =>
        expect(mergeReports(mergeReports(a, b), c)).toEqual(mergeReports(a, mergeReports(b, c))),
      ),
      { numRuns: 2000 },
    )
  })

  it('changes only the visible characters when a report is repeated', () => {
    fc.assert(fc.property(report, (a) => expect(mergeReports(a, { ...a, visibleCharacters: 0 })).toEqual(a)))
  })

  it('prefers a known cost when the tokens are equal', () => {
    const fact: RequestFact = {
      callId: 'c',
      at: 1,
      model: 'm',
      inputTokens: 1,
      cacheReadTokens: 0,
      cacheWrite5mTokens: 0,
      cacheWrite1hTokens: 0,
      cacheWrite30mTokens: 0,
      cacheWrite12hTokens: 0,
      outputTokens: 1,
      costNano: null,
      costState: 'unpriced',
    }
    const priced: RequestFact = { ...fact, costNano: 7n, costState: 'computed' }
    expect(
      mergeReports(
        { sessionId: 's', fact, visibleCharacters: 0 },
        { sessionId: 's', fact: priced, visibleCharacters: 0 },
      ).fact,
    ).toEqual(priced)
  })
})
