import { describe, expect, it } from '@jest/globals'
import { BASELINES, type BaselineMessage } from './index.ts'

const user = (text: string, more: Partial<BaselineMessage> = {}): BaselineMessage => ({ role: 'user', text, ...more })

describe('bm25', () => {
  it('matches exact words, not their other forms', () => {
    const scores = BASELINES.bm25('refresh token', [
      user('refresh the token'),
      user('a token of love'),
      user('refreshing'),
    ])
    expect(scores[0]).toBeGreaterThan(scores[1] ?? 0)
    expect(scores[1]).toBeGreaterThan(0)
    expect(scores[2]).toBe(0)
  })

  it('returns nothing for an empty query', () => {
    expect([...BASELINES.bm25('', [user('walrus')])]).toEqual([0])
    expect([...BASELINES.bm25('walrus', [])]).toEqual([])
  })
})

describe('clio', () => {
  it('scores the whole query, each keyword, and a majority of keywords', () => {
    expect([
      ...BASELINES.clio('red lighthouse', [
        user('the red lighthouse'),
        user('lighthouse that is red'),
        user('only a red one'),
        user('red'),
      ]),
    ]).toEqual([3 + 2 + 1.5 + 0.2, 2 + 1.5 + 0.2, 1 + 0.2, 0])
  })

  it('matches keywords within words, as the original does', () => {
    expect(BASELINES.clio('auth', [user('many authors here')])[0]).toBeGreaterThan(0)
  })

  it('counts the title of a matching session, and prefers the assistant', () => {
    const [plain, titled, assistant] = BASELINES.clio('red lighthouse', [
      user('only a red one'),
      user('only a red one', { title: 'The red lighthouse' }),
      user('only a red one', { role: 'assistant' }),
    ])
    expect((titled ?? 0) - (plain ?? 0)).toBe(2)
    expect((assistant ?? 0) - (plain ?? 0)).toBeCloseTo(0.1)
  })
})
