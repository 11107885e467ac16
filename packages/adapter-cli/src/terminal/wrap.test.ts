import { describe, expect, it } from '@jest/globals'
import { textWidth } from './text-width.ts'
import { wrapAfter, wrapLine, wrapSentences } from './wrap.ts'

describe('wrapLine', () => {
  it('breaks at spaces, then behind the separators of paths, then anywhere', () => {
    expect(wrapLine('the quick brown fox jumps', 20)).toEqual(['the quick brown fox', 'jumps'])
    expect(wrapLine('the quick brown foxes jump', 21)).toEqual(['the quick brown foxes', 'jump'])
    expect(wrapLine('/home/somebody/code/project/file', 20)).toEqual(['/home/somebody/code/', 'project/file'])
    expect(wrapLine('x'.repeat(45), 20)).toEqual(['x'.repeat(20), 'x'.repeat(20), 'x'.repeat(5)])
  })

  it('never exceeds the width, loses nothing, and keeps the indent of code', () => {
    for (const text of [
      '日本語のとても長いプロジェクト名前がここにあります',
      `    return ${'a.b.c '.repeat(20)}`,
      '👩‍👩‍👧‍👦'.repeat(30),
      '  '.repeat(60),
    ]) {
      for (let width = 20; width < 60; width++) {
        const lines = wrapLine(text, width)
        expect(lines.filter((line) => textWidth(line) > width)).toEqual([])
        expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''))
      }
    }
    expect(wrapLine(`    return ${'word '.repeat(6)}`, 20)[0]).toBe('    return word word')
  })

  it('indents further lines by the width of the label', () => {
    expect(wrapAfter('Store  ', 'one two three four five', 27)).toEqual(['Store  one two three four', '       five'])
  })
})

describe('wrapSentences', () => {
  const SENTENCE =
    'The store /home/somebody/a/very/long/way/to/a/folder/store.db is damaged; say cairn doctor --store "file:my store.db" to see how, or remove "the broken file".'

  it('breaks between words, and keeps paths, quoted texts and commands in one piece', () => {
    expect(wrapSentences(SENTENCE, 40).split('\n')).toEqual([
      'The store',
      '/home/somebody/a/very/long/way/to/a/folder/store.db',
      'is damaged; say',
      'cairn doctor --store "file:my store.db" to see how,',
      'or remove "the broken file".',
    ])
    expect(wrapSentences("It is the user's own (see 'a b c d e f g h').", 24).split('\n')).toEqual([
      "It is the user's own",
      "(see 'a b c d e f g h').",
    ])
  })

  it('leaves short lines as they are, and keeps the indent of long ones', () => {
    expect(wrapSentences('  a   b\n\n  one two three four five', 16)).toBe('  a   b\n\n  one two three\n  four five')
  })

  it('counts no columns for colours, and drops no word at any width', () => {
    expect(wrapSentences('\u001b[31mred red red red\u001b[39m', 15)).toBe('\u001b[31mred red red red\u001b[39m')
    for (let width = 1; width < 200; width += 7) {
      const wrapped = wrapSentences(`${SENTENCE} "open cairn's  it's`, width)
      expect(wrapped.split(/\s+/)).toEqual(`${SENTENCE} "open cairn's  it's`.split(/\s+/))
    }
  })

  it('wraps a long text of quotes and commands fast', () => {
    const before = process.cpuUsage()
    for (const piece of ['cairn "', 'cairn a;', '"', "'a ", '(cairn x', 'cairn cairn '])
      wrapSentences(piece.repeat(20_000), 80)
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(4_000)
  })
})
