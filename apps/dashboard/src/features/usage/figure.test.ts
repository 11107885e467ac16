import { emptyTotals } from '@cairn/core'
import {
  allTokensFigure,
  cacheHitFigure,
  compactCount,
  costFigure,
  firstTokenFigure,
  latencyFigure,
  outputFigure,
  wholeCount,
} from './figure.ts'

const usd = (amount: number): bigint => BigInt(Math.round(amount * 1e9))

describe('a latency', () => {
  it('is the average of the requests that were timed', () => {
    const totals = { ...emptyTotals, requests: 9, timedRequests: 4, firstTokenMs: 1_680, totalMs: 49_300 }
    expect(firstTokenFigure(totals)).toMatchObject({
      text: '0.42 s',
      notes: ['On average over 4 timed requests of 9.'],
    })
    expect(latencyFigure(totals).text).toBe('12.3 s')
    expect(latencyFigure({ ...totals, totalMs: 4_936_000 }).text).toBe('1,230 s')
  })

  it('is not known where none was timed', () => {
    expect(latencyFigure({ ...emptyTotals, requests: 9 })).toMatchObject({
      text: '–',
      notes: ['No request was timed.'],
    })
  })
})

describe('a cost', () => {
  it('says that it was computed, recorded, or partly both', () => {
    expect(costFigure({ ...emptyTotals, requests: 2, costNano: usd(3) })).toEqual({
      text: '$3.00',
      notes: ['At API prices, by the price list.'],
      isIncomplete: false,
    })
    expect(costFigure({ ...emptyTotals, requests: 2, costNano: usd(3), recordedCostNano: usd(3) }).notes).toEqual([
      'Recorded by the agents.',
    ])
    expect(costFigure({ ...emptyTotals, requests: 2, costNano: usd(3), recordedCostNano: usd(1) }).notes).toEqual([
      '$1.00 recorded by the agents, $2.00 at API prices by the price list.',
    ])
  })

  it('is never $0 where nothing has a price', () => {
    expect(costFigure({ ...emptyTotals, requests: 3, unpricedRequests: 3 })).toMatchObject({
      text: 'unpriced',
      isIncomplete: true,
    })
    expect(costFigure({ ...emptyTotals, requests: 1, unpricedRequests: 1 }).notes).toEqual([
      'Unpriced: no price is known for the model of this request.',
    ])
    expect(costFigure({ ...emptyTotals, requests: 3, unpricedRequests: 3, inputTokens: 1 }).notes).toEqual([
      'Unpriced: no price is known for the model of these 3 requests, or their input was not recorded.',
    ])
  })

  it('says that the input was not recorded where nothing but output was', () => {
    expect(costFigure({ ...emptyTotals, requests: 54, unpricedRequests: 54, outputTokens: 9 }).notes).toEqual([
      'Unpriced: the input of these 54 requests was not recorded, and without it there is no cost.',
    ])
  })

  it('is marked where a part has no price', () => {
    const figure = costFigure({ ...emptyTotals, requests: 2_000, unpricedRequests: 1_500, costNano: usd(0.0042) })
    expect(figure).toMatchObject({ text: '$0.0042', isIncomplete: true })
    expect(figure.notes[1]).toContain('1,500 of 2,000 requests')
  })

  it('of no requests is $0, without a note on how it was computed', () => {
    expect(costFigure(emptyTotals)).toEqual({ text: '$0.00', notes: [], isIncomplete: false })
  })
})

describe('tokens', () => {
  it('are short, with all digits in the notes', () => {
    expect(compactCount(12_345)).toBe('12.3K')
    expect(compactCount(987)).toBe('987')
    expect(wholeCount(1_234_567)).toBe('1,234,567')
    expect(
      allTokensFigure({ ...emptyTotals, inputTokens: 1_000_000, cacheReadTokens: 234_567, outputTokens: 10 }).notes,
    ).toEqual(['1,234,567 in and 10 out, as recorded.'])
  })

  it('keep the estimate of missing output apart from what was paid', () => {
    const figure = costFigure({
      ...emptyTotals,
      requests: 2,
      costNano: usd(1_516),
      partialRequests: 1,
      missingOutputTokens: 9,
      missingOutputCostNano: usd(128),
    })
    expect(figure).toMatchObject({ text: '$1,516.00', estimate: '~$128.00' })
    expect(figure.notes.join(' ')).toContain(
      'so the true cost is higher, by ~$128.00; that is an estimate, and no total includes it',
    )
    expect(costFigure({ ...emptyTotals, requests: 2, partialRequests: 1 }).estimate).toBeUndefined()
  })

  it('say where replies were recorded in part', () => {
    const figure = outputFigure({
      ...emptyTotals,
      requests: 1,
      outputTokens: 5,
      partialRequests: 1,
      missingOutputTokens: 1_200,
    })
    expect(figure.isIncomplete).toBe(true)
    expect(figure.notes.at(-1)).toBe(
      'Partial: 1 reply was recorded only in part; what is visible needs about 1,200 output tokens more.',
    )
  })
})

describe('cache hits', () => {
  it('are the share of all four classes of input', () => {
    expect(
      cacheHitFigure({
        ...emptyTotals,
        inputTokens: 10,
        cacheReadTokens: 70,
        cacheWrite5mTokens: 15,
        cacheWrite1hTokens: 5,
      }).text,
    ).toBe('70.0%')
  })

  it('are a dash instead of zero where there was no input', () => {
    expect(cacheHitFigure(emptyTotals).text).toBe('–')
  })
})
