import { progressText } from './progress.ts'

describe('how far a replay is', () => {
  it('counts the session’s requests again in each of its two replays', () => {
    const passes = ['recorded', 'cache-aware'] as const
    expect(progressText({ done: 307, total: 1_327, pass: 0, passes })).toBe(
      'Replaying as its agent did, 1 of 2: request 307 of 1,327',
    )
    expect(progressText({ done: 12, total: 327, pass: 1, passes })).toBe(
      'Replaying under cache-aware, 2 of 2: request 12 of 327',
    )
  })

  it('does not number the only one', () => {
    expect(progressText({ done: 3, total: 9, pass: 0, passes: ['recorded'] })).toBe(
      'Replaying as its agent did: request 3 of 9',
    )
  })
})
