import { knownAddress, knownFileOf } from './context-address.ts'

describe('the address of a file as an agent knew it', () => {
  it('names session and file, whatever characters they have, and changes with what is known', () => {
    for (const path of ['a.ts', '/abs/ü & = ?#.ts', 'C:\\code\\a.ts'])
      expect(knownFileOf(knownAddress('codex:a&b', path, 5).query)).toEqual({ sessionId: 'codex:a&b', path })
    expect(knownAddress('codex:1', '/abs/a.ts', 5).path).toBe('/abs/a.ts')
    expect(knownAddress('codex:1', 'a.ts', 5)).not.toEqual(knownAddress('codex:1', 'a.ts', 6))
    expect(knownAddress('codex:1', 'a.ts', null).query).toContain('at=')
    expect(knownFileOf('session=codex')).toBeUndefined()
  })
})
