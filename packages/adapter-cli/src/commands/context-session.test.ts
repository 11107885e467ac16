import { describe, expect, it } from '@jest/globals'
import { shortIds } from './context-session.ts'

describe('short ids of messages', () => {
  it('are unique beginnings of at least eight characters', () => {
    const ids = ['0ccf1a04-aaaa', '0ccf1a04-abbb', '7f000000-0000', 'm1', 'm10', 'm1']
    expect([...shortIds(ids)]).toEqual(
      expect.arrayContaining([
        ['0ccf1a04-aaaa', '0ccf1a04-aa'],
        ['0ccf1a04-abbb', '0ccf1a04-ab'],
        ['7f000000-0000', '7f000000'],
        ['m1', 'm1'],
        ['m10', 'm10'],
      ]),
    )
    for (const [id, short] of shortIds(ids))
      expect(short === id || ids.filter((other) => other.startsWith(short)).every((other) => other === id)).toBe(true)
  })

  it('never end within a character', () => {
    const id = `abcdefg${'\u{1f30d}'}rest`
    expect(shortIds([id]).get(id)).toBe(id)
  })
})
