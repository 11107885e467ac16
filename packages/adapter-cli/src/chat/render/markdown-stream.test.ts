import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { textWidth } from '../../terminal/text-width.ts'
import { MarkdownStream } from './markdown-stream.ts'

const MARKS = { plain: ['', ''], bold: ['<b>', '</b>'], code: ['<c>', '</c>'] } as const

const rendered = (
  pieces: readonly string[],
  { width = 40, isPlain = false, isPainted = true }: { width?: number; isPlain?: boolean; isPainted?: boolean } = {},
): string => {
  const stream = new MarkdownStream({
    width: () => width,
    paint: (style, text) => (isPainted && text !== '' ? `${MARKS[style][0]}${text}${MARKS[style][1]}` : text),
    isPlain,
  })
  return pieces.map((piece) => stream.push(piece)).join('') + stream.end()
}

describe('a stream of Markdown', () => {
  it('shows headings and bold text bold, and code as code', () => {
    expect(rendered(['# The plan\nUse **two `caches`** and `a*b`.'])).toBe(
      '<b>The</b> <b>plan</b>\nUse <b>two</b> <c>caches</c> and <c>a*b</c>.\n',
    )
  })

  it.each([
    '2 * 3 ** 4 and it`s',
    '**never closed',
    '__init__ and *args, **kwargs',
    '***',
    '`` ` and **',
    '** no **',
    '-',
    '#hash and 1.5',
    '`'.repeat(2),
    'a**',
  ])('leaves the marks of %j as they are', (text) => {
    expect(rendered([text], { isPainted: false, width: 80 })).toBe(`${text}\n`)
  })

  it('gives up on a mark that is closed too late, and loses nothing', () => {
    const text = `**${'word '.repeat(200)}end** and \`${'x'.repeat(900)}\``
    expect(rendered([text], { isPainted: false, width: 5_000 })).toBe(`${text}\n`)
  })

  it('breaks lines between words, and indents items of lists', () => {
    expect(rendered(['- one two three four five six\n  1. seven eight nine ten eleven'], { width: 22 })).toBe(
      '• one two three four\n  five six\n  1. seven eight nine\n     ten eleven\n',
    )
  })

  it('breaks lines between wide characters, and keeps emoji of several parts whole', () => {
    expect(rendered(['日本語のとても長いプロジェクト名'], { width: 20 })).toBe('日本語のとても長いプ\nロジェクト名\n')
    expect(rendered(['👩‍👩‍👧‍👦'.repeat(12)], { width: 20 })).toBe(`${'👩‍👩‍👧‍👦'.repeat(10)}\n${'👩‍👩‍👧‍👦'.repeat(2)}\n`)
  })

  it('leaves code as it is, and its fence away', () => {
    const code = 'const long = "a line that is longer than the width"  // **no** `mark`'
    expect(rendered(['See:\n```ts\n', code, '\n``\n```\nDone.'], { isPainted: false })).toBe(
      `See:\n${code}\n\`\`\n\nDone.\n`,
    )
    expect(rendered(['````\n```\n````'], { isPainted: false })).toBe('```\n\n')
    expect(rendered(['```\nnever closed'], { isPainted: false })).toBe('never closed\n')
  })

  it('says in words what signs say, for screen readers', () => {
    expect(rendered(['- **one**\n```sh\nls\n```\n> quoted'], { isPainted: false, isPlain: true })).toBe(
      '- one\nCode (sh):\nls\nEnd of code.\n> quoted\n',
    )
  })

  it('shows control sequences instead of obeying them, also in pieces', () => {
    expect(rendered(['a\u001b', '[2Jb\r', '\nc \u202ed'], { isPainted: false })).toBe('a␛[2Jb\nc \ufffdd\n')
  })

  it('writes a word when it is whole, and a line end at once', () => {
    const stream = new MarkdownStream({ width: () => 40, paint: (_, text) => text, isPlain: false })
    expect(stream.push('One tw')).toBe('One')
    expect(stream.push('o\n')).toBe(' two\n')
    expect(stream.push('- three ')).toBe('• three')
    expect(stream.end()).toBe('\n')
    expect(stream.end()).toBe('')
  })

  const MARKDOWN = fc
    .array(
      fc.constantFrom(
        ...[
          '**',
          '`',
          '```',
          '\n',
          '\n',
          ' ',
          ' ',
          'word',
          'longer-word',
          '# ',
          '- ',
          '1. ',
          '> ',
          '日本',
          '👍🏽',
          'é',
          '~~~',
        ],
      ),
      { maxLength: 60 },
    )
    .map((parts) => parts.join(''))

  it('is the same however the text is cut into pieces', () => {
    fc.assert(
      fc.property(MARKDOWN, fc.array(fc.nat(200), { maxLength: 12 }), (text, cuts) => {
        const at = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b)
        const pieces = [...at, text.length].map((end, index) => text.slice(at[index - 1] ?? 0, end))
        // Code is coloured piece by piece.
        const shown = (of: readonly string[]): string => rendered(of).replaceAll('</c><c>', '')
        expect(shown(pieces)).toBe(shown([text]))
      }),
    )
  })

  it('has no line wider than the terminal, and loses no word', () => {
    fc.assert(
      fc.property(MARKDOWN, fc.integer({ min: 20, max: 50 }), (text, width) => {
        const shown = rendered([text.replaceAll(/```|~~~/g, '')], { width, isPainted: false })
        expect(shown.split('\n').filter((line) => textWidth(line) > width)).toEqual([])
        const words = (of: string): string => of.replaceAll(/[^a-z日本é\u{1f44d}]/gu, '')
        expect(words(shown)).toBe(words(text))
      }),
    )
  })
})
