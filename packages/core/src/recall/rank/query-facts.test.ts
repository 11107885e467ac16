import { describe, expect, it } from '@jest/globals'
import { authorHash } from '../../text-analysis/author.ts'
import { dateFit, parseDates } from './dates.ts'
import { analyseQueryFacts } from './query-facts.ts'

describe('datesOf', () => {
  it.each([
    ['on 7 May 2023', [{ day: 7, month: 4, year: 2023 }]],
    ['on May 7th, 2023', [{ day: 7, month: 4, year: 2023 }]],
    ['the 1st of June', [{ day: 1, month: 5 }]],
    ['in May 2023', [{ month: 4, year: 2023 }]],
    [
      'May 2023 and June 2024',
      [
        { month: 4, year: 2023 },
        { month: 5, year: 2024 },
      ],
    ],
    ['last June', [{ month: 5 }]],
    ['in 2022', [{ year: 2022 }]],
    ['since 2023-04-09', [{ year: 2023, month: 3, day: 9 }]],
    ['it may be 7 walruses', []],
    ['port 2022', []],
    ['', []],
  ])('%s', (text, expected) => expect(parseDates(text)).toEqual(expected))
})

describe('dateFit', () => {
  const may = { month: 4, year: 2023 }
  it('is best on the day, good in the month, fair in the month after', () => {
    const on = (day: number) => dateFit(Date.UTC(2023, 4, day), { ...may, day: 7 })
    expect(on(7)).toBeGreaterThan(on(20))
    expect(on(20)).toBeGreaterThan(on(2))
    expect(dateFit(Date.UTC(2023, 4, 30), may)).toBe(1)
    expect(dateFit(Date.UTC(2023, 5, 2), may)).toBe(0.5)
    expect(dateFit(Date.UTC(2023, 3, 30), may)).toBe(0)
    expect(dateFit(Date.UTC(2024, 4, 3), may)).toBe(0)
    expect(dateFit(Date.UTC(2024, 0, 3), { month: 11 })).toBe(0.5)
    expect(dateFit(NaN, may)).toBe(0)
  })
})

describe('queryFacts', () => {
  it.each([
    ['When was it?', 'time'],
    ['How long did it take?', 'duration'],
    ['How many are there?', 'number'],
    ['Where is it?', 'location'],
    ['Who said so?', 'person'],
    ['Why is that?', 'reason'],
    ['the lighthouse', undefined],
  ])('%s asks for a %s', (text, type) => expect(analyseQueryFacts(text).type).toBe(type))

  it('tells questions about the asker from statements of the asker', () => {
    expect(analyseQueryFacts('what did I say about my dog?').firstPerson).toBe(true)
    expect(analyseQueryFacts('I wonder whether the build fails').firstPerson).toBe(false)
  })

  it('recognises a named author', () => {
    expect(analyseQueryFacts("What is Caroline's job?").names.has(authorHash('Caroline Smith'))).toBe(true)
  })
})

describe('questions about what the assistant said', () => {
  it.each([
    'What did you recommend for my trip?',
    'which books have you suggested to me',
    'What was the list you gave me?',
    "the recipe you'd told me about",
    'your suggestion for the cache',
    'you previously mentioned a library',
  ])('%s', (text) => expect(analyseQueryFacts(text).ofAssistant).toBe(true))

  it.each([
    'What did I recommend to you?',
    'Can you remind me how the cache works?',
    'How do you set up the project?',
    'you need the red one',
    'what do you think',
    'the plan that we made',
  ])('not %s', (text) => expect(analyseQueryFacts(text).ofAssistant).toBe(false))
})

describe('error messages', () => {
  it.each([
    "TypeError: Cannot read properties of undefined (reading 'map')",
    '    at readPages (file:///srv/app/pages.js:12:5)',
    'src/pages.ts:12:5',
    'File "app.py", line 3, in <module>',
    'error TS2345: Argument of type string',
    'ENOENT: no such file or directory',
    'command failed with exit code 137',
    'unknown flag --disable-all',
    'permission denied while opening the socket',
    'What does ERR_REQUIRE_ESM mean?',
  ])('%s', (text) => expect(analyseQueryFacts(text).isError).toBe(true))

  it.each([
    'theme colors',
    'Why did the login test fail?',
    'which sessions matter for the login rewrite',
    'release steps v1.2.3',
    'session-log.ts',
    'is the error shown to the user?',
  ])('not %s', (text) => expect(analyseQueryFacts(text).isError).toBe(false))
})

describe('prose', () => {
  it.each([
    'Where is the harbour light used?',
    'does it have tests?',
    'the keeper of the light is also missing the two lamps that we have at the start of the pier',
  ])('%s', (text) => expect(analyseQueryFacts(text).isProse).toBe(true))

  it.each([
    'harbour light',
    'why?',
    'get all changed lamps between piers in harbour light attribution',
    'lamp timer pier harbour rope tide ferry keeper menu table storm bike tent cake',
    'Why does ERR_REQUIRE_ESM come up?',
    'the command is terminated due to an error: it has no such flag as the one that was given',
  ])('not %s', (text) => expect(analyseQueryFacts(text).isProse).toBe(false))
})
