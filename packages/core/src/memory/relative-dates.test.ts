import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { SATURDAY } from './memory.fixture.ts'
import { resolveRelativeDates } from './relative-dates.ts'

const inBerlin = (text: string, now = SATURDAY): string => resolveRelativeDates(text, now, 'Europe/Berlin')

describe('relative dates', () => {
  it.each([
    ['It broke yesterday.', 'It broke on 2026-01-30.'],
    ['Yesterday the build broke', 'On 2026-01-30 the build broke'],
    ['It fails since last Friday', 'It fails since 2026-01-30'],
    ['shipped last Saturday, next Saturday again', 'shipped on 2026-01-24, on 2026-02-07 again'],
    ['freeze from today until next Monday', 'freeze from 2026-01-31 until 2026-02-02'],
    ['this Sunday', 'on 2026-02-01'],
    ['due next week; due this week', 'due in the week of 2026-02-02; due in the week of 2026-01-26'],
    ['since last month, from next year', 'since 2025-12, from 2027'],
    ['last weekend', 'in the weekend of 2026-01-24'],
    ['fixed 2 days ago (a week ago)', 'fixed on 2026-01-29 (on 2026-01-24)'],
    ['added three months ago', 'added on 2025-10-31'],
    ['two days from now', 'on 2026-02-02'],
    ['crashed an hour ago', 'crashed at 2026-01-31 09:30'],
    ['this morning', 'on 2026-01-31 (morning)'],
    ['down since last night', 'down since 2026-01-30 (night)'],
    ['Tomorrow evening we deploy', 'On 2026-02-01 (evening) we deploy'],
    ['the day before yesterday', 'on 2026-01-29'],
    ["yesterday's deploy", "2026-01-30's deploy"],
    ['broke last\n  week', 'broke in the week of 2026-01-19'],
    ['He said "it broke yesterday"', 'He said "it broke on 2026-01-30"'],
  ])('%j becomes %j', (text, expected) => {
    expect(inBerlin(text)).toBe(expected)
  })

  it.each([
    'call `date --date yesterday`, `last week` and ``next `Friday` ``',
    '```sh\necho today\nlast week\n```',
    'run cairn usage --since yesterday',
    'cache=today is a setting',
    'see today.ts, /logs/yesterday/x, next-week, last_week, yesterdays and @today',
    'today() returns a Date',
    'the label "next week" and the word \'today\'',
    'in the last week of the month; last week of May; every next month',
    'a few days ago, 30 February, in 2 days',
    '99999 years ago',
    'lasting weeks, this weekday',
  ])('%j stays', (text) => {
    expect(inBerlin(text)).toBe(text)
  })

  it('are resolved in the time zone', () => {
    const lateInTheEvening = Date.UTC(2026, 1, 1, 23, 30)
    expect(inBerlin('today', lateInTheEvening)).toBe('on 2026-02-02')
    expect(resolveRelativeDates('today', lateInTheEvening, 'America/Los_Angeles')).toBe('on 2026-02-01')
  })

  it('are resolved once: a second pass changes nothing, and no other text changes', () => {
    const words = fc.constantFrom(
      'yesterday',
      'Today',
      'last',
      'next',
      'week',
      'Friday',
      'month',
      '2',
      'days',
      'ago',
      'the',
      'of',
      'on',
      'since',
      '`',
      '```',
      '\n',
      '"',
      'x.ts',
      '2026-01-30',
      '.',
      '(',
      'morning',
      'this',
    )
    fc.assert(
      fc.property(fc.array(words, { maxLength: 20 }), (parts) => {
        const once = inBerlin(parts.join(' '))
        expect(inBerlin(once)).toBe(once)
      }),
    )
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(!/day|night|week|month|year|morning|evening|ago|now/i.test(text))
        expect(inBerlin(text)).toBe(text)
      }),
    )
  })
})
