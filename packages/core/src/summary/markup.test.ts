import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { RECORD_TAGS, escapeTags, wrapInTag, isRecord } from './markup.ts'

/** What a lenient reader could take for a tag of ours. */
const looksLikeTag = new RegExp(
  String.raw`<[^<>\p{L}]*(?:${RECORD_TAGS.map((tag) => tag.replace('_', '[-_ ]')).join('|')})`,
  'iu',
)

describe('escapeTags', () => {
  it.each(
    RECORD_TAGS.flatMap((tag) => [
      `<${tag}>`,
      `</${tag}>`,
      `</ ${tag} >`,
      `<${tag.toUpperCase()} a="b">`,
      `<\n/\t${tag}>`,
      `<\u200b/${tag}>`,
      `</${tag.replace('_', '-')}>`,
    ]),
  )('%j neither opens nor closes a tag', (attack) => {
    expect(escapeTags(`before ${attack} after`)).not.toMatch(looksLikeTag)
  })

  it('finds a tag with invisible characters between its letters', () => {
    expect(escapeTags('</thread\u200b_sum\u200dmary>')).toBe('&lt;/thread\u200b_sum\u200dmary>')
  })

  it('leaves other code unchanged', () => {
    const code = 'if (a < b) return <ThreadSummary of={x}></ThreadSummary>; // </thread> <todo> <notes>'
    expect(escapeTags(code)).toBe(code)
  })

  it('no combination closes a tag', () => {
    const piece = fc.oneof(
      fc.constantFrom('<', '/', '>', 'thread_summary', 'session_state', 'current_request', ' ', '\u200b', '&lt;', '\n'),
      fc.string({ maxLength: 3 }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const escaped = escapeTags(pieces.join(''))
        expect(escaped).not.toMatch(looksLikeTag)
        expect(escapeTags(escaped)).toBe(escaped)
      }),
    )
  })

  it('takes time linear in the text', () => {
    const long = `${'<'.repeat(100_000)}${'< '.repeat(100_000)}<${' '.repeat(100_000)}`
    expect(escapeTags(long)).toBe(long)
  })
})

it('isRecord recognises what the program wrote', () => {
  expect(isRecord(` ${wrapInTag('session_state', 'x')}\n`)).toBe(true)
  expect(isRecord('<thread_summary>x</thread_summary> what is this?')).toBe(false)
  expect(isRecord('please look at session_state')).toBe(false)
  expect(isRecord(`${wrapInTag('long_term_memory', 'x')}\n\n${wrapInTag('past_sessions', 'y')}`)).toBe(true)
  expect(isRecord(`${wrapInTag('long_term_memory', 'x')}\nand now?\n${wrapInTag('past_sessions', 'y')}`)).toBe(false)
})
