import { describe, expect, it } from '@jest/globals'
import { SNIPPET_LENGTH, markHits, snippetOf } from './recall-snippet.ts'

describe('snippetOf', () => {
  it('gives short texts whole, on one line', () => {
    expect(snippetOf('a\n  b', 'b')).toBe('a b')
  })

  it('shows where the words stand together', () => {
    const text = `${'rate '.repeat(100)} and then the rate limit of the provider was hit ${'filler '.repeat(200)}`
    const snippet = snippetOf(text, 'limit rate provider')
    expect(snippet).toContain('rate limit of the provider')
    expect(snippet.startsWith('…') && snippet.endsWith('…')).toBe(true)
  })

  it('is never longer than it may be, and never broken', () => {
    const texts = ['👍'.repeat(400), 'x'.repeat(1000), `${'日本語 '.repeat(300)}needle`, `needle ${'y '.repeat(500)}`, `${'𝒳'.repeat(301)}needle${'𝒳'.repeat(301)}`]
    for (const text of texts) {
      const snippet = snippetOf(text, 'needle')
      expect(snippet.length).toBeLessThanOrEqual(SNIPPET_LENGTH)
      expect(snippet.isWellFormed()).toBe(true)
    }
  })

  it('marks whole words only, whatever the query holds', () => {
    expect(markHits('Rate rates (rate)', 'rate .*', (hit) => `<${hit}>`)).toBe('<Rate> rates (<rate>)')
    expect(markHits('abc', '()[]\\', (hit) => `<${hit}>`)).toBe('abc')
  })
})
