import { describe, expect, it } from '@jest/globals'
import { pageHtml } from './page-html.ts'

const facts = {
  nonce: 'abc123',
  title: 'A <chat>',
  script: 'https://x.example/a.js?b="c"&d',
  style: 'https://x.example/a.css',
  cspSource: 'https://x.example',
}
const html = pageHtml(facts)

describe('the document of a page', () => {
  it('runs its own script alone, and loads nothing else', () => {
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? ''
    const directives = new Map(policy.split('; ').map((one) => [one.split(' ')[0], one.split(' ').slice(1).join(' ')]))
    expect(directives.get('default-src')).toBe("'none'")
    expect(directives.get('script-src')).toBe("'nonce-abc123'")
    expect(directives.get('style-src')).toBe('https://x.example')
    expect(directives.get('trusted-types')).toBe("'none'")
    expect(policy).not.toMatch(/unsafe|data:|\*/)
    expect(html).toContain('<title>A &lt;chat&gt;</title>')
  })

  it('shows images only where they are wanted, and only those that it is given', () => {
    expect(html).not.toContain('img-src')
    expect(pageHtml({ ...facts, showsImages: true })).toContain(
      "script-src 'nonce-abc123'; img-src data:; base-uri 'none'",
    )
  })

  it('holds one script, with the nonce, and no text of anybody', () => {
    expect(html.match(/<script/g)).toHaveLength(1)
    expect(html).toContain('<script nonce="abc123" src="https://x.example/a.js?b=&quot;c&quot;&amp;d"></script>')
  })
})
