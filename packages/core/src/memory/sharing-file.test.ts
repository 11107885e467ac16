import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { createHasher } from '../node/index.ts'
import { MEMORY_KINDS } from '../ports/memory-storage.ts'
import { memoryEntry, WORKSPACE } from './memory-entry.fixture.ts'
import { HARMLESS_EXAMPLES, UNSAFE_EXAMPLES } from '../testing/unsafe-examples.ts'
import { hasUnsafe } from '../unsafe-characters.ts'
import { exportMemory, parseMemoryFile } from './sharing-file.ts'

const hasher = createHasher()
const AT = Date.UTC(2026, 0, 31)

const roundTrip = (entry: ReturnType<typeof memoryEntry>) => {
  const { entries, skipped } = parseMemoryFile(exportMemory([entry], hasher))
  expect(skipped).toEqual([])
  return { workspace: WORKSPACE, ...entries[0]?.entry }
}

describe('a memory file', () => {
  it('is readable: its purpose, one entry per line, metadata in a comment', () => {
    const text = exportMemory(
      [memoryEntry({ text: 'Use <b>, not\nC:\\dir --> always', examples: ['a-->b'], lastConfirmedAt: AT })],
      hasher,
    )
    expect(text.split('\n')[0]).toBe('# What is known about this project')
    expect(text).toContain('cairn memory import')
    const lines = text.split('\n').filter((line) => line.startsWith('- '))
    expect(lines).toEqual([
      String.raw`- discovery: Use \<b>, not\nC:\\dir --> always <!-- {"id":"entry-1","confidence":0.8,"examples":["a-\u002d\u003eb"],"seen":"1970-01-01T00:00:00.000Z","confirmed":"2026-01-31T00:00:00.000Z"} -->`,
    ])
  })

  it('is the same bytes for the same entries', () => {
    const entries = Array.from({ length: 50 }, (_, index) => memoryEntry({ id: `e${index}`, text: `Fact ${index}` }))
    expect(exportMemory(entries.toReversed(), hasher)).toBe(exportMemory(entries, hasher))
  })

  it.each([
    'a\nb\r\nc\u2028d',
    '-->',
    '<!-- {"id":"other"} -->',
    '<<<<<<< HEAD',
    '=======',
    String.raw`C:\new\table \u{1f}`,
    '- pattern: x',
    '\u001b[31mred',
    'é ü 語 🙂',
    '\ud800 half',
    '\u202eevil',
    '* x <!--',
  ])('round-trips %j', (text) => {
    const entry = memoryEntry({ text, examples: [text], source: text })
    const file = exportMemory([entry], hasher)
    expect(file.split('\n').filter((line) => line.startsWith('- discovery'))).toHaveLength(1)
    expect(file.isWellFormed()).toBe(true)
    expect(roundTrip(entry)).toEqual(entry)
  })

  it('round-trips any entry', () => {
    const text = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 60 })
      .map((given) => given.trim())
      .filter((given) => given !== '')
    const count = fc.nat(1000)
    const entry = fc.record({
      text,
      kind: fc.constantFrom(...MEMORY_KINDS),
      confidence: fc.double({ min: 0, max: 1, noNaN: true }),
      examples: fc.array(text, { maxLength: 3 }),
      sessionId: fc.option(text),
      commit: fc.option(text),
      source: text,
      firstSeenAt: fc.nat(AT),
      lastConfirmedAt: fc.nat(AT),
      applications: count,
      confirmations: count,
      contradictions: count,
    })
    fc.assert(
      fc.property(entry, (given) => {
        const whole = memoryEntry({ ...given, confidence: Math.abs(given.confidence) })
        expect(roundTrip(whole)).toEqual(whole)
      }),
    )
  })

  it.each(UNSAFE_EXAMPLES)('makes $name visible to a reviewer, and restores it on reading', ({ text }) => {
    const whole = memoryEntry({ text: `a${text}b` })
    expect(hasUnsafe(exportMemory([whole], hasher))).toBe(false)
    expect(roundTrip(whole).text).toBe(whole.text)
  })

  it.each(HARMLESS_EXAMPLES)('writes %s unchanged', (text) => {
    expect(exportMemory([memoryEntry({ text })], hasher)).toContain(`discovery: ${text} <!--`)
  })

  it('reads both sides of a merge conflict, reports it, and ignores the common ancestor', () => {
    const line = (id: string, text: string): string =>
      exportMemory([memoryEntry({ id, text })], hasher)
        .split('\n')
        .find((each) => each.startsWith('- ')) ?? ''
    const file = [
      '<<<<<<< HEAD',
      line('a', 'ours'),
      '||||||| 1a2b3c4',
      line('b', 'before'),
      '=======',
      line('c', 'theirs'),
      '>>>>>>> feature',
      '',
    ].join('\r\n')
    const { entries, skipped, conflicts } = parseMemoryFile(file)
    expect(entries.map(({ entry }) => entry.text)).toEqual(['ours', 'theirs'])
    expect({ skipped, conflicts }).toEqual({ skipped: [], conflicts: [1] })
  })

  it('is short when empty, and explains how to write an entry', () => {
    const file = exportMemory([], hasher)
    expect(file.split('\n').length).toBeLessThan(10)
    expect(file).toContain('`- discovery: Tests need Redis`')
    expect(parseMemoryFile(file)).toEqual({ entries: [], skipped: [] })
    expect(
      parseMemoryFile(
        '# What is known about this project\n\nwithout a comment is a new entry; what stands in a comment, and the marks, should stay as they are.\n',
      ),
    ).toEqual({ entries: [], skipped: [] })
  })

  it("accepts a hand-written line, and names what it can't read", () => {
    const { entries, skipped } = parseMemoryFile(
      [
        '- discovery: by hand',
        '* pattern:   also  ',
        'hello',
        '- wish: a pony',
        '- discovery: <!-- {"id":1} -->',
        '- discovery: cut off <!-- {"id":"a',
        '- discovery:  ',
      ].join('\n'),
    )
    expect(entries).toEqual([
      { line: 1, entry: { kind: 'discovery', text: 'by hand' } },
      { line: 2, entry: { kind: 'pattern', text: 'also' } },
    ])
    expect(skipped.map(({ line }) => line)).toEqual([3, 4, 5, 6, 7])
    expect(skipped[1]?.reason).toContain("'wish'")
  })

  it('refuses values that no entry can have', () => {
    const file = exportMemory([memoryEntry()], hasher)
    for (const [textOfEntry, instead] of [
      ['"confidence":0.8', '"confidence":1.5'],
      ['"id":"entry-1"', '"id":"a b"'],
      ['1970-01-01T00:00:00.000Z', 'yesterday'],
    ] as const) {
      expect(parseMemoryFile(file.replace(textOfEntry, instead))).toMatchObject({
        entries: [],
        skipped: [{ reason: 'its comment is damaged' }],
      })
    }
  })
})
