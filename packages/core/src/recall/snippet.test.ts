import { describe, expect, it } from '@jest/globals'
import { SNIPPET_LENGTH, createMarker, snippetFor, snippetOf } from './snippet.ts'

const marked = (text: string, query: string): string => createMarker(query).mark(text, (hit) => `[${hit}]`)

describe('snippetOf', () => {
  it('gives short texts whole, on one line', () => {
    expect(snippetOf('a\n  b', 'b')).toBe('a b')
  })

  it('shows the part where the words are close together', () => {
    const text = `${'rate '.repeat(100)} and then the rate limit of the provider was hit ${'filler '.repeat(200)}`
    const snippet = snippetOf(text, 'limit rate provider')
    expect(snippet).toContain('rate limit of the provider')
    expect(snippet.startsWith('…') && snippet.endsWith('…')).toBe(true)
  })

  it('finds the best part by stems, whatever common words are elsewhere', () => {
    const text = `${'what is the way to do it. '.repeat(40)}Here the tokens are refreshed too early. ${'and so on '.repeat(60)}`
    expect(snippetOf(text, 'what is the way of refreshing a token')).toContain('tokens are refreshed too early')
  })

  it('finds the words that are meant, however long the text has none but common ones', () => {
    const text = `${'this is what the way to do it is. '.repeat(20_000)}Then the frobnicator stopped. ${'and so on '.repeat(60)}`
    expect(snippetOf(text, 'where is the frobnicator')).toContain('the frobnicator stopped')
    // More common words than are looked at stand before it in its own part.
    expect(snippetOf(text.slice(-60_000), 'where is the frobnicator')).toContain('the frobnicator stopped')
    expect(snippetOf(text, 'where is that')).toContain('this is what the way')
  })

  it('begins with the sentence where its start is near', () => {
    const text = `${'Filler words stand here. '.repeat(30)}The lock was taken twice. ${'Filler words stand here. '.repeat(30)}`
    expect(snippetOf(text, 'lock taken')).toMatch(/^…The lock was taken twice\./)
  })

  it('shows quoted words where they stand just so, whatever their accents and apostrophes', () => {
    const filler = 'Filler words stand here. '.repeat(30)
    const text = `The lock was held. Who held the lock? ${filler}Then they’ve held the löck too long. ${filler}`
    expect(snippetOf(text, 'held lock')).toContain('The lock was held')
    expect(snippetOf(text, '"held the lock too long"')).toMatch(/^…Then they’ve held the löck too long\./)
    expect(snippetOf(text, `"they've held the" lock`)).toMatch(/^…Then they’ve/)
    // Words that stand nowhere just so are looked for one by one.
    expect(snippetOf(text, '"lock held"')).toContain('The lock was held')
  })

  it('is never too long, and never cuts a character', () => {
    const texts = [
      '👍'.repeat(400),
      'x'.repeat(1000),
      `${'日本語 '.repeat(300)}needle`,
      `needle ${'y '.repeat(500)}`,
      `${'𝒳'.repeat(301)}needle${'𝒳'.repeat(301)}`,
      `${' '.repeat(2000)}needle${' '.repeat(2000)}end`,
      '',
    ]
    for (const text of texts) {
      const { text: snippet, highlights } = snippetFor(text, createMarker('needle'))
      expect(snippet.length).toBeLessThanOrEqual(SNIPPET_LENGTH)
      expect(snippet.isWellFormed()).toBe(true)
      for (const { start, end } of highlights) expect(snippet.slice(start, end)).toBe('needle')
    }
  })

  it.each([
    ['a megabyte of one character', 'x'.repeat(1_000_000), ' needle stands here'],
    ['minified code', 'a=1;b(c,d);'.repeat(100_000), 'needle(1);f(x)'],
    ['base64', 'aGVsbG8gd29ybGQgZm9vYmFy'.repeat(50_000), ' the needle'],
  ])('shows the hit behind %s', (_name, before, after) => {
    const { text } = snippetFor(before + after, createMarker('needle'))
    expect(text).toContain('needle')
    expect(text.length).toBeLessThanOrEqual(SNIPPET_LENGTH)
    expect(text.startsWith('…')).toBe(true)
  })

  it("gives the ranges of the query's words", () => {
    const { text, highlights } = snippetFor('We refreshed it, after a refresh.', createMarker('refreshing'))
    expect(highlights.map(({ start, end }) => text.slice(start, end))).toEqual(['refreshed', 'refresh'])
  })
})

describe('createMarker', () => {
  it.each([
    ['it is refreshing', 'refresh', 'it is [refreshing]'],
    ['the authors agree', 'auth', 'the authors agree'],
    ['call sessionLog() now', 'session log', 'call [sessionLog]() now'],
    ['the session log', 'sessionLog', 'the [session] [log]'],
    ['the session-log here', 'session log', 'the [session-log] here'],
    ['Größe und GRÖSSE', 'größe', '[Größe] und [GRÖSSE]'],
    ['nothing of that', 'a(b[c', 'nothing of that'],
    ['$& and $1', 'and', '$& [and] $1'],
  ])('in %j for %j marks %j', (text, query, expected) => {
    expect(marked(text, query)).toBe(expected)
  })

  it('marks common words only where the query has no others', () => {
    expect(marked('what is the plan', 'what is the plan')).toBe('what is the [plan]')
    expect(marked('to be or not to be', 'to be or not to be')).toBe('[to] [be] [or] [not] [to] [be]')
  })

  it('counts how much of a query a text holds', () => {
    const marker = createMarker('why do the redis tests fail')
    expect(marker.coverage('Tests need Redis')).toBeCloseTo(2 / 3)
    expect(marker.coverage('Why do the others')).toBe(0)
    expect(createMarker('').coverage('anything')).toBe(0)
  })
})
