import { describe, expect, it } from '@jest/globals'
import { isAskedAnew, isOfStore, showsWork } from './asked-anew.ts'

const keys = {
  watching: [['live', 'watching'], { type: 'query' }],
  settings: [['settings', 'report'], { type: 'query' }],
  sessions: [['now', 'sessions'], { type: 'query' }],
  budgets: [['insights', 'budgets'], { input: { timeZone: 'UTC' }, type: 'query' }],
}
const asked = (isOne: (key: readonly unknown[]) => boolean): readonly string[] =>
  Object.entries(keys).flatMap(([name, key]) => (isOne(key) ? [name] : []))

describe('what is asked again', () => {
  it('after a write is neither the count of the whole store nor, on the page of now, the month’s budgets', () => {
    expect(asked((key) => isAskedAnew(key, '/now'))).toEqual(['sessions'])
    expect(asked((key) => isAskedAnew(key, '/settings'))).toEqual(['sessions', 'budgets'])
    expect(asked((key) => isAskedAnew(key, '/'))).toEqual(['sessions', 'budgets'])
  })

  it('is looked for more often on the pages that show a session at work', () => {
    expect(['/now', '/sessions/codex%3Aone', '/sessions', '/sessions/a/b', '/'].map(showsWork)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
  })

  it('is all but what asks for changes when the server answers again', () => {
    expect(asked(isOfStore)).toEqual(['settings', 'sessions', 'budgets'])
    expect(isOfStore(['of another library'])).toBe(true)
  })
})
