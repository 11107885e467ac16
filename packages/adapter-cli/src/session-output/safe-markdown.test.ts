import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { marked } from 'marked'
import { fenced, safeMarkdown } from './safe-markdown.ts'

describe('Markdown made safe for a document', () => {
  it('reads as before', () => {
    for (const text of [
      'a **b** `c <d>` [e](https://f.example/g) [h](src/i.ts#j)',
      '- a\n- b',
      '| a | b |\n|---|---|',
      'Array<string> 1 < 2',
      '<https://a.example>',
      '# T',
    ]) {
      expect(safeMarkdown(text)).toBe(text === 'Array<string> 1 < 2' ? 'Array&lt;string> 1 < 2' : text)
    }
    expect(safeMarkdown('a\n```ts\n<b>\n```\nb')).toBe('a\n\n```ts\n<b>\n```\n\nb')
  })

  it('has fences longer than any run of backticks inside, all of them closed', () => {
    expect(fenced('a ```` b')).toBe('`````\na ```` b\n`````')
    expect(safeMarkdown('```\nnever closed')).toBe('```\nnever closed\n```\n')
    expect(safeMarkdown('> ```\n> x')).toBe('> \\```\n> x')
  })

  it('turns unsafe links into text', () => {
    for (const address of ['javascript:x', '&#106;avascript:x', 'data:text/html,x', 'java\nscript:x', '<javascript:x>'])
      expect(safeMarkdown(`[a](${address})`)).toContain(']\\(')
    expect(safeMarkdown('[a]: javascript:x')).toContain(']\\:')
    expect(safeMarkdown('![a](https://a.example/x.png)')).toBe('!\\[a](https://a.example/x.png)')
    expect(safeMarkdown('<javascript:x> <b> </b> <!-- -->')).toBe('&lt;javascript:x> &lt;b> &lt;/b> &lt;!-- -->')
  })

  it('holds nothing that a Markdown reader could run, for any input', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '`',
        '``',
        '```',
        '~~~',
        '\n',
        '\n\n',
        '<script>',
        '<img src=x onerror=y>',
        '[a](',
        'javascript:x',
        ')',
        '[a]: ',
        '[a]',
        '](',
        '\\',
        '- ',
        '> ',
        '    ',
        '"`"',
        '<https://a.example/`>',
        '!',
        ' ',
        'a',
        '1. ',
        '<',
        '>',
        '[',
        ']',
        ':',
        '|',
        '#',
      ),
      fc.string({ maxLength: 5 }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const html = marked.parse(`${safeMarkdown(pieces.join(''))}\n\nbehind it\n`, { async: false })
        expect(html).not.toMatch(/<script|<img|href="\s*javascript:/i)
        expect(html).toContain('behind it')
      }),
      { numRuns: 3000 },
    )
  })
})
