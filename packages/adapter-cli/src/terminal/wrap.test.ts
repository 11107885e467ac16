import { describe, expect, it } from '@jest/globals'
import { textWidth } from './text-width.ts'
import { wrapAfter, wrapLine } from './wrap.ts'

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

  it('puts further lines under the first', () => {
    expect(wrapAfter('Store  ', 'one two three four five', 27)).toEqual(['Store  one two three four', '       five'])
  })
})
