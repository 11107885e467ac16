import { describe, expect, it } from '@jest/globals'
import { BASELINES, type BaselineMessage } from './index.ts'

const user = (text: string, more: Partial<BaselineMessage> = {}): BaselineMessage => ({ role: 'user', text, ...more })

describe('bm25', () => {
  it('knows words as they stand, no forms of them', () => {
    const scores = BASELINES.bm25('refresh token', [
      user('refresh the token'),
      user('a token of love'),
      user('refreshing'),
    ])
    expect(scores[0]).toBeGreaterThan(scores[1] ?? 0)
    expect(scores[1]).toBeGreaterThan(0)
    expect(scores[2]).toBe(0)
  })

  it('gives nothing for nothing', () => {
    expect([...BASELINES.bm25('', [user('walrus')])]).toEqual([0])
    expect([...BASELINES.bm25('walrus', [])]).toEqual([])
  })
})

describe('clio', () => {
  it('gives points for the whole query, each keyword and most of them', () => {
    expect([
      ...BASELINES.clio('red lighthouse', [
        user('the red lighthouse'),
        user('lighthouse that is red'),
        user('only a red one'),
        user('red'),
      ]),
    ]).toEqual([3 + 2 + 1.5 + 0.2, 2 + 1.5 + 0.2, 1 + 0.2, 0])
  })

  it('finds keywords within words, as the original does', () => {
    expect(BASELINES.clio('auth', [user('many authors here')])[0]).toBeGreaterThan(0)
  })

  it('counts the title of what was found, and prefers the assistant', () => {
    const [plain, titled, assistant] = BASELINES.clio('red lighthouse', [
      user('only a red one'),
      user('only a red one', { title: 'The red lighthouse' }),
      user('only a red one', { role: 'assistant' }),
    ])
    expect((titled ?? 0) - (plain ?? 0)).toBe(2)
    expect((assistant ?? 0) - (plain ?? 0)).toBeCloseTo(0.1)
  })
})
