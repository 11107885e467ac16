import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { markdownHtml } from './markdown.ts'

const flat = (text: string): string => markdownHtml(text).replaceAll('\n', '')

describe('Markdown as HTML', () => {
  it('formats the Markdown that is usual in chats', () => {
    expect(flat('# Title #')).toBe('<h3>Title</h3>')
    expect(flat('a **bold** *it* ~~no~~ `c <b>` _u_ snake_case_name 2*3*4')).toBe(
      '<p>a <strong>bold</strong> <em>it</em> <del>no</del> <code>c &lt;b&gt;</code> <em>u</em> snake_case_name 2<em>3</em>4</p>',
    )
    expect(flat('- a\n- b\n  - c\n\n1. x\n2. y')).toBe(
      '<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul><ol><li>x</li><li>y</li></ol>',
    )
    expect(flat('- [x] done\n- [ ] open')).toContain('☑</span> done')
    expect(markdownHtml('```ts\nconst a = 1 < 2\n```')).toContain('<code>const a = 1 &lt; 2</code>')
    expect(markdownHtml('```\nnever closed')).toContain('<code>never closed</code>')
    expect(flat('| a | b |\n|---|--:|\n| 1 | 2 |')).toContain('<td>1</td><td class="num">2</td>')
    expect(flat('> said\n> twice')).toBe('<blockquote><p>saidtwice</p></blockquote>')
    expect(flat('above\n\n---\n\nbelow')).toBe('<p>above</p><hr><p>below</p>')
    expect(flat('3. third')).toBe('<ol start="3"><li>third</li></ol>')
  })

  it('links pages and mail, and leaves everything else as text', () => {
    expect(flat('[a](https://a.example/x?y=1&z=2)')).toContain(
      '<a href="https://a.example/x?y=1&amp;z=2" title="https://a.example/x?y=1&amp;z=2" rel="noopener noreferrer">a</a>',
    )
    expect(flat('see https://a.example/x.')).toMatch(
      /<a href="https:\/\/a\.example\/x"[^>]*>https:\/\/a\.example\/x<\/a>\.<\/p>/,
    )
    expect(flat('(https://a.example/b_(c))')).toContain('href="https://a.example/b_(c)"')
    for (const address of [
      'javascript:x',
      'JAVASCRIPT:x',
      'data:text/html,x',
      'vbscript:x',
      '&#106;avascript:x',
      'java&Tab;script:x',
      '//a.example',
      'https://a@b.example',
      'https:javascript:x',
      'src/a.ts',
    ]) {
      expect(flat(`[a](${address}) <${address}>`)).not.toContain('<a ')
      expect(flat(`[a](${address})`)).toContain('[a](')
    }
    expect(flat('![a](https://a.example/x.png)')).toMatch(/<a [^>]*>image: a<\/a>/)
    expect(flat('![a](https://a.example/x.png)')).not.toContain('<img')
  })

  it('makes control characters and marks of writing direction visible', () => {
    expect(flat('a\u202eb\u0000c\u2066d')).toBe(
      '<p>a<span class="ctl">[U+202E]</span>b<span class="ctl">␀</span>c<span class="ctl">[U+2066]</span>d</p>',
    )
    expect(flat('\ud800x')).toBe('<p>\ufffdx</p>')
  })

  const TAGS =
    /<(?!\/?(?:p|h[3-6]|ul|ol|li|pre|code|span|em|strong|del|blockquote|hr|div|table|thead|tbody|tr|th|td|a)[ >])/
  const OWN =
    /<(?:ol start="\d+"|span class="(?:ctl|lang|box|d[adh])"|div class="wide"|t[hd] class="num"|a href="(?:https?:\/\/|mailto:)[^"<>]*" title="[^"<>]*" rel="noopener noreferrer"|\/?[a-z]+[1-6]?)>/g

  it('never passes a tag of the text on', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '<',
        '>',
        '"',
        "'",
        '&',
        '`',
        '```',
        '\n',
        '\n\n',
        '- ',
        '1. ',
        '> ',
        '# ',
        '|',
        '|-|-|',
        '**',
        '_',
        '[a](',
        ')',
        '<script>',
        'javascript:',
        'https://a.example/',
        '![',
        '\\',
        '    ',
        '\u202e',
        '\u001b[31m',
        '&lt;',
        ' on="x"',
      ),
      fc.string(),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const html = markdownHtml(pieces.join(''))
        expect(html).not.toMatch(TAGS)
        expect(html.replace(OWN, '')).not.toMatch(/[<>]/)
      }),
      { numRuns: 500 },
    )
  })

  it('takes linear time for long texts of marks', () => {
    for (const mark of [
      '[',
      '*',
      '**a',
      '`',
      '``a`',
      '_a',
      '<',
      '![',
      '> ',
      '- ',
      '|',
      '[a](',
      '\\',
      'https://',
      '~~',
    ]) {
      expect(markdownHtml(mark.repeat(Math.ceil(60_000 / mark.length)))).toMatch(/^<\w/)
      expect(markdownHtml(`${mark}\n`.repeat(Math.ceil(60_000 / mark.length)))).toMatch(/^<\w/)
    }
  })
})
