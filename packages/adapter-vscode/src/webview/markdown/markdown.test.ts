import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { markdownParts, parseMarkdown } from './blocks.ts'
import { parseInline } from './inline.ts'
import { linkKind, type Block, type Inline } from './syntax.ts'

const inlineText = (nodes: readonly Inline[]): string =>
  nodes
    .map((node) => {
      if (node.type === 'break') return '\n'
      return 'text' in node ? node.text : inlineText(node.children)
    })
    .join('')

const shape = (nodes: readonly Inline[]): string =>
  nodes
    .map((node) => {
      if (node.type === 'break') return '<br>'
      if ('text' in node) return node.type === 'code' ? `{${node.text}}` : node.text
      if (node.type === 'link') return `<${node.address}|${shape(node.children)}>`
      return `${node.type}(${shape(node.children)})`
    })
    .join('')

describe('Markdown within a line', () => {
  it.each([
    ['a **b** c', 'a strong(b) c'],
    ['*a* _b_ ~~c~~', 'emphasis(a) emphasis(b) deleted(c)'],
    ['***both***', 'strong(emphasis(both))'],
    ['**a *b* c**', 'strong(a emphasis(b) c)'],
    ['snake_case_name stays', 'snake_case_name stays'],
    ['2 * 3 * 4', '2 * 3 * 4'],
    ['`a` and ``b`c``', '{a} and {b`c}'],
    ['an open `tick and **star', 'an open `tick and **star'],
    [String.raw`\*not\* this`, '*not* this'],
    ['[docs](https://a.example/x_(y)) end', '<https://a.example/x_(y)|docs> end'],
    ['![shot](https://a.example/p.png)', '<https://a.example/p.png|shot>'],
    ['see https://a.example/b?c=d.', 'see <https://a.example/b?c=d|https://a.example/b?c=d>.'],
    ['<https://a.example>', '<https://a.example|https://a.example>'],
    ['<script>alert(1)</script>', '<script>alert(1)</script>'],
    ['a  \nb', 'a  <br>b'],
  ])('%s', (text, expected) => {
    expect(shape(parseInline(text))).toBe(expected)
  })

  it('loses nothing of a text without marks', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const plain = text.replace(/[\\`*_~[\]!<\n]|https?:/g, '')
        expect(inlineText(parseInline(plain))).toBe(plain)
      }),
    )
  })

  it('takes time that grows with the length of the text alone', () => {
    const hostile = ['**a ', '[a](', '`', '*a _b ', '![', '<http://', '~~a', '](', '\\', 'https://a(']
    const time = (length: number): number => {
      const started = process.cpuUsage().user
      for (const piece of hostile) parseInline(piece.repeat(length / piece.length))
      return process.cpuUsage().user - started
    }
    time(5_000)
    const [short, long] = [time(10_000), time(40_000)]
    // Four times as long; a quadratic parser takes sixteen times. Beside short times there is the clock's own noise.
    expect(long).toBeLessThan(10 * short + 200_000)
  })
})

describe('Markdown by lines', () => {
  const kinds = (blocks: readonly Block[]): readonly string[] => blocks.map(({ type }) => type)

  it('knows headings, rules, quotes, lists, code, tables and paragraphs', () => {
    const text = [
      '# Title #',
      'a',
      'b',
      '',
      '---',
      '> quoted',
      'still',
      '',
      '1. one',
      '2. two',
      '   - deep',
      '',
      '```ts',
      'const a = 1',
      '',
      '```',
      '| a | b |',
      '|---|:-:|',
      '| 1 | `x\\|y` |',
    ].join('\n')
    const blocks = parseMarkdown(text)
    expect(kinds(blocks)).toEqual(['heading', 'paragraph', 'rule', 'quote', 'list', 'code', 'table'])
    expect(blocks[4]).toMatchObject({ first: 1, items: [{}, { children: [{ type: 'paragraph' }, { type: 'list' }] }] })
    expect(blocks[5]).toEqual({ type: 'code', language: 'ts', text: 'const a = 1\n' })
    expect(blocks[6]).toMatchObject({ rows: [[[{ text: '1' }], [{ type: 'code', text: 'x|y' }]]] })
  })

  it('knows the items of a list of tasks, and those that are apart', () => {
    expect(parseMarkdown('- [x] done\n\n- [ ] open\n- plain')).toMatchObject([
      { type: 'list', items: [{ isDone: true }, { isDone: false }, { children: [{ type: 'paragraph' }] }] },
    ])
  })

  it('shows code whose end has not come yet as code', () => {
    expect(parseMarkdown('```sh\nnpm test')).toEqual([{ type: 'code', language: 'sh', text: 'npm test' }])
  })

  it('takes the parts one by one as it takes the whole', () => {
    const text = '# a\n\npara\nmore\n\n- one\n\n  more of it\n\n- two\n\n```\nx\n\ny\n```\n\nend'
    const parts = markdownParts(text)
    expect(parts.join('\n')).toBe(text)
    expect(parts.flatMap(parseMarkdown)).toEqual(parseMarkdown(text))
    expect(parts).toHaveLength(5)
  })

  it('changes the last part alone as a text grows', () => {
    const text = 'a\n\n- b\n- c\n\n```\nd\n\ne\n```\n\nf **g** h\n\n> i\n'
    for (let length = 1; length < text.length; length += 1) {
      const before = markdownParts(text.slice(0, length))
      const after = markdownParts(text.slice(0, length + 1))
      expect(after.slice(0, before.length - 1)).toEqual(before.slice(0, -1))
    }
  })

  it('survives what is nested without end, and any text', () => {
    expect(kinds(parseMarkdown('> '.repeat(5_000) + 'x'))).toEqual(['quote'])
    expect(kinds(parseMarkdown('- '.repeat(5_000) + 'x'))).toEqual(['list'])
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('- a', '  - b', '> c', '```', '| d |', '|-|', '', '# e', '***', '1. f', '   g', 'h')),
        (lines) => {
          const text = lines.join('\n')
          expect(markdownParts(text).join('\n')).toBe(text)
          expect(Array.isArray(parseMarkdown(text))).toBe(true)
        },
      ),
    )
  })
})

describe('links', () => {
  it.each([
    ['https://a.example', 'web'],
    ['HTTP://a.example', 'web'],
    ['src/a.ts:12', 'file'],
    ['./a.md', 'file'],
    ['a.ts:3', 'file'],
    ['javascript:alert(1)', undefined],
    [' javascript:alert(1)', undefined],
    ['data:text/html,x', undefined],
    ['command:workbench.action.quit', undefined],
    ['vscode://x', undefined],
    ['file:///etc/passwd', undefined],
    ['//host/share', undefined],
    [String.raw`\\host\share`, undefined],
    ['#part', undefined],
    ['', undefined],
  ])('%s', (address, kind) => {
    expect(linkKind(address)).toBe(kind)
  })
})
