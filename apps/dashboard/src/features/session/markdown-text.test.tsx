import { describe, expect, it } from '@jest/globals'
import { renderToStaticMarkup } from 'react-dom/server'
import { MarkdownText } from './markdown-text.tsx'
import { MarkedWordsProvider } from './marked-words.tsx'

const html = (text: string, words: readonly string[] = []): string =>
  renderToStaticMarkup(
    <MarkedWordsProvider value={{ seq: 3, words }}>
      <MarkdownText text={text} seq={3} />
    </MarkedWordsProvider>,
  )

describe('Markdown of a conversation', () => {
  it.each([
    [
      'headings and emphasis',
      '## Plan\n\n**now** and `then`',
      /<h2>Plan<\/h2>[^]*<strong>now<\/strong> and <code>then</,
    ],
    ['lists with boxes', '- [x] one\n- [ ] two', /☑<\/span> one[^]*☐<\/span> two/],
    ['tables', '| a | b |\n| - | - |\n| 1 | 2 |', /<table>[^]*<td>1<\/td>/],
    [
      'code, which keeps its lines',
      '```ts\nconst a = 1\n  b\n```',
      /<pre[^>]*><code class="language-ts">const a = 1\n {2}b\n/,
    ],
    [
      'links to the web',
      '[site](https://example.com/a)',
      /<a href="https:\/\/example\.com\/a"[^>]*noopener noreferrer nofollow/,
    ],
  ])('draws %s', (_what, text, expected) => {
    expect(html(text)).toMatch(expected)
  })

  it.each([
    ['HTML', 'a <script>alert(1)</script> <img src=x onerror=alert(1)> b', '&lt;script&gt;'],
    ['scripts as links', '[x](javascript:alert(1)) [y](JaVaScRiPt:alert(1)) [z](data:text/html,1)', 'x y z'],
    ['addresses within the dashboard', '[x](/settings) [y](//evil.example) [z](?token=1)', 'x y z'],
    ['images', '![a cat](https://example.com/cat.png)', '[image: a cat at https://example.com/cat.png]'],
    ['overrides of direction', 'safe \u202Eevil', '⟨U+202E⟩'],
    ['references', '[x]\n\n[x]: javascript:alert(1)', 'x'],
  ])('shows %s and obeys nothing', (_what, text, expected) => {
    const made = html(text)
    expect(made).toContain(expected)
    expect(made).not.toMatch(/<script|<img|href="(?!https?:)|onerror=(?!alert\(1\)&gt;)|\u202E/i)
  })

  it('marks words within what it draws, also in code, and nothing in other entries', () => {
    const made = html('a **cent** is `cent` lost', ['cent', 'lost'])
    expect(made.match(/<mark[^>]*>(cent|lost)<\/mark>/g)).toHaveLength(3)
    const other = renderToStaticMarkup(
      <MarkedWordsProvider value={{ seq: 4, words: ['cent'] }}>
        <MarkdownText text="a cent" seq={3} />
      </MarkedWordsProvider>,
    )
    expect(other).not.toContain('<mark')
  })

  it.each([
    ['quotes in quotes', '> '.repeat(5_000)],
    ['lists in lists', '- '.repeat(5_000)],
    ['emphasis in emphasis', `${'*a '.repeat(1_000)}${'b* '.repeat(1_000)}`],
    ['open brackets', '['.repeat(5_000)],
    ['what is too long', 'word **b** '.repeat(2_000)],
  ])('draws %s as it stands', (_what, text) => {
    expect(html(text)).toMatch(/^<div class="whitespace-pre-wrap"><bdi>/)
  })
})
