import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { matchTableOf, type TestMessage } from './match-table.fixture.ts'
import { analyseQueryFacts } from './query-facts.ts'
import { rankMessages } from './rank-messages.ts'

const rank = (query: string, messages: readonly TestMessage[]) =>
  rankMessages(matchTableOf(query, messages), analyseQueryFacts(query))

/** Rows found, best first; equal ones in the order given. */
const found = (query: string, messages: readonly TestMessage[]): readonly number[] => {
  const { scores } = rank(query, messages)
  return [...scores.keys()]
    .filter((row) => (scores[row] ?? 0) > 0)
    .sort((left, right) => (scores[right] ?? 0) - (scores[left] ?? 0))
}
const filler = (session: number): TestMessage => ({ text: 'nothing of any interest was said here at all', session })

describe('rankMessages', () => {
  it('finds all forms of a word, the exact form first', () => {
    expect(found('refreshing', [{ text: 'we refresh it' }, { text: 'authors' }, { text: 'refreshing it' }])).toEqual([
      2, 0,
    ])
    expect(found('auth', [{ text: 'authors' }])).toEqual([])
  })

  it('finds an identifier by its words', () => {
    const messages = [{ text: 'we get the user by name' }, { text: 'call getUserName() there' }, { text: 'other' }]
    expect(found('get user name', messages)[0]).toBe(1)
  })

  it('counts an identifier of several words as little more than one word', () => {
    const messages = [
      { text: 'the order-api is up', session: 0 },
      { text: 'tracing of requests by their number', session: 1 },
      { text: 'otters swim far', session: 2 },
    ]
    expect(found('How is tracing of requests done in the order-api?', messages)[0]).toBe(1)
  })

  it('gives a question about what the assistant said its answer, "my" or not', () => {
    const messages: TestMessage[] = [
      { text: 'a book on otters for my trip, please', session: 0 },
      { text: 'a book on otters for the trip would be "Ring"', session: 0, role: 'assistant' },
      filler(1),
    ]
    expect(found('What book on otters did you recommend for my trip?', messages)[0]).toBe(1)
    expect(found('What book on otters did I want for my trip?', messages)[0]).toBe(0)
  })

  it('gives a question the long answer that speaks of all of it before one that names it once', () => {
    const other = Array.from({ length: 70 }, (_, index) => `filler${index}`).join(' ')
    const messages: TestMessage[] = [
      { text: `The ferry leaves early. ${other}. ${other}. ${other}.`, session: 0, role: 'assistant' },
      {
        text: `The ferry leaves early. ${other}. A ferry needs tickets. ${other}. Ferry piers close.`,
        session: 1,
        role: 'assistant',
      },
    ]
    const parts = (row: number) => rank('When does the ferry leave?', messages).explain(row)
    const whole = (row: number) => parts(row).find(({ name }) => name === 'whole message')?.value ?? 0
    expect(whole(1)).toBeGreaterThan(whole(0))
    expect(
      rank('the ferry leaves', messages)
        .explain(1)
        .map(({ name }) => name),
    ).not.toContain('whole message')
  })

  it('gives an error message what a tool printed, the first time that it did', () => {
    const message = 'cannot find the walrus in the zoo'
    const messages: TestMessage[] = [
      { text: `I see: ${message}`, session: 0, at: 1_000, role: 'assistant' },
      { text: message, session: 1, at: 3_000, role: 'tool', kind: 'result' },
      { text: message, session: 2, at: 2_000, role: 'tool', kind: 'result' },
      { text: message, session: 3, at: 4_000, role: 'tool', kind: 'result' },
      filler(4),
    ]
    expect(found(message, messages)[0]).toBe(2)
    expect(found(message, messages)[3]).toBe(0)
  })

  it('prefers a message with both of two words', () => {
    const messages = [{ text: 'red paint' }, { text: 'a red lighthouse' }, { text: 'the lighthouse' }]
    expect(found('red lighthouse', messages)).toEqual([1])
    expect([...found('lighthouse zeppelin', messages)].sort()).toEqual([1, 2])
  })

  it('ranks a message with all words together above those in which they are scattered', () => {
    const messages: TestMessage[] = [
      ...Array.from({ length: 6 }, (): TestMessage => ({ text: 'red paint red door paint door', session: 0 })),
      { text: 'door door red paint red', session: 1, role: 'tool', kind: 'result' },
      {
        text: `${'it went on about quite other things, '.repeat(5)} paint the red door now ${'and more of them, '.repeat(5)}`,
        session: 2,
      },
      ...Array.from({ length: 6 }, (_, index): TestMessage => ({
        text: 'so do it now and then the next',
        session: 3 + index,
      })),
    ]
    expect(found('paint the red door now', messages)[0]).toBe(7)
  })

  it('finds the answer that shares no word with the question', () => {
    const messages: TestMessage[] = [
      filler(0),
      { text: 'Which instrument did you learn at the music school?', author: 'Ben', session: 1 },
      { text: 'Trombone, for years.', author: 'Ann', session: 1 },
      filler(2),
    ]
    expect(found('Which instrument did Ann learn?', messages)[0]).toBe(2)
  })

  it('adds no neighbours to a query that is not a question', () => {
    expect(found('walrus instrument school sings', [{ text: 'the walrus sings' }, { text: 'fine' }])).toEqual([0])
  })

  it('prefers messages of the named author', () => {
    const messages = [
      { text: 'Ann, that trip to the coast was great', author: 'Ben', session: 0 },
      { text: 'I took a trip to the coast', author: 'Ann', session: 1 },
    ]
    expect(found('Where did Ann take a trip?', messages)[0]).toBe(1)
  })

  it('prefers what the named author says about themselves', () => {
    const messages: TestMessage[] = ['that trip to the coast', 'our trip to the coast'].map((text, session) => ({
      text,
      author: 'Ann',
      session,
    }))
    expect(found('Where did Ann take a trip?', [...messages, filler(2)])[0]).toBe(1)
  })

  it("weighs an author's name less the more messages they wrote", () => {
    const listAuthors = (author: string) => ['Ann', 'Ben', ...Array.from({ length: 6 }, () => author)]
    const shareOfName = (author: string): number => {
      const messages = listAuthors(author).map((name, session): TestMessage => ({
        text: 'a trip to the coast',
        author: name,
        session,
      }))
      const { scores } = rank('Where did Ann take a trip?', messages)
      return (scores[0] ?? 0) / (scores[1] ?? 0)
    }
    expect(shareOfName('Ben')).toBeGreaterThan(1.2 * shareOfName('Ann'))
    expect(shareOfName('Ann')).toBeGreaterThan(1)
  })

  it('splits an unknown identifier into words', () => {
    const messages = [
      'decisions were made',
      'harbour works began',
      'decisions again',
      'nothing more',
      'so it went',
      'and on',
    ].map((text, session): TestMessage => ({ text, session }))
    expect(found('harbour-related decisions made so far', messages)[0]).toBe(0)
    expect(found('harbour-related decisions', messages)[0]).toBe(1)
    expect(
      found('harbour-related decisions', [...messages, { text: 'harbourrelated', session: 6 }]).slice(0, 2),
    ).not.toContain(1)
  })

  it("weighs a bursty word's neighbours more in a question", () => {
    const around = (near: string, session: number): TestMessage[] =>
      [near, 'that is so fine', near].map((text) => ({ text, session }))
    const messages = [
      ...around('see the walrus', 0),
      ...around('see the lantern', 1),
      ...[2, 3, 4, 5].map((session): TestMessage => ({ text: 'a lantern', session })),
      ...[6, 6, 6, 6].map((session): TestMessage => ({ text: 'a walrus', session })),
    ]
    const windowOf = (query: string, row: number): number =>
      rank(query, messages)
        .explain(row)
        .find(({ name }) => name === 'window')?.value ?? 0
    expect(windowOf('What of the walrus and the lantern?', 1)).toBeGreaterThan(
      1.2 * windowOf('What of the walrus and the lantern?', 4),
    )
    expect(windowOf('walrus lantern bottle', 0)).toBe(windowOf('walrus lantern bottle', 3))
  })

  it('prefers messages from the named time', () => {
    const messages = [
      { text: 'we went to the lake', at: Date.UTC(2023, 1, 7), session: 0 },
      { text: 'we went to the lake', at: Date.UTC(2023, 4, 8), session: 1 },
      { text: 'we went to the lake', at: Date.UTC(2024, 4, 8), session: 2 },
    ]
    expect(found('When did they go to the lake in May 2023?', messages)[0]).toBe(1)
  })

  it('ranks an edit above a result that repeats it', () => {
    const text = 'func parseHeader(line string) error'
    expect(
      found('parse header', [
        { text, role: 'tool', kind: 'result', session: 0 },
        { text, role: 'assistant', kind: 'edit', session: 1 },
      ])[0],
    ).toBe(1)
  })

  it('answers prose with what the assistant said, search words with the edit', () => {
    const messages: TestMessage[] = [
      { text: 'func parseHeader(line string) error', role: 'assistant', kind: 'edit', session: 0 },
      { text: 'parse header line', role: 'tool', kind: 'result', session: 1 },
      { text: 'I added parseHeader, which reads the header line by line', role: 'assistant', session: 2 },
      filler(3),
    ]
    expect(found('parse header', messages)[0]).toBe(0)
    expect(found('What is parse header used for?', messages)[0]).toBe(2)
  })

  it('weighs what tools did to a file that prose names as for search words', () => {
    const query = 'Who changed parse header in header.go?'
    const messages: TestMessage[] = [
      { text: 'Edit header.go func parseHeader(line string) error', role: 'assistant', kind: 'edit', session: 0 },
      { text: 'I changed parseHeader in header.go', role: 'assistant', session: 1 },
      filler(2),
    ]
    const shareOfEdit = (touched: Uint8Array): number => {
      const { scores } = rankMessages({ ...matchTableOf(query, messages), touched }, analyseQueryFacts(query))
      return (scores[0] ?? 0) / (scores[1] ?? 0)
    }
    expect(shareOfEdit(Uint8Array.of(2, 0, 0))).toBeGreaterThan(2 * shareOfEdit(Uint8Array.of(0, 0, 0)))
  })

  it('prefers the edit of a file that words of the query name', () => {
    const text = 'func render(node Node) string'
    const messages: TestMessage[] = [0, 1].map((session) => ({ text, role: 'assistant', kind: 'edit', session }))
    const query = 'render node in tree view'
    const table = { ...matchTableOf(query, messages), editedSpoken: Uint8Array.of(0, 1) }
    const { scores } = rankMessages(table, analyseQueryFacts(query))
    expect(scores[1]).toBeGreaterThan(scores[0] ?? 0)
  })

  it('scores a long message by its best passage', () => {
    const long = `${'lorem ipsum dolor sit amet. '.repeat(60)} The walrus sings at dawn.`
    expect(found('walrus sings at dawn', [{ text: 'dawn' }, { text: long, session: 1 }])[0]).toBe(1)
  })

  it('explains each score as a sum, and returns finite numbers for any input', () => {
    const word = fc.constantFrom(
      'walrus',
      'otter',
      'Where',
      'refreshing',
      'May',
      '7',
      'getUserName',
      '?',
      'Ann',
      'I',
      '\n',
      '猫',
    )
    const text = fc.array(word, { maxLength: 30 }).map((words) => words.join(' '))
    const message = fc.record({
      text,
      session: fc.constantFrom(0, 1),
      author: fc.constantFrom('Ann', 'Ben'),
      kind: fc.constantFrom('text' as const, 'edit' as const, 'result' as const),
      at: fc.constantFrom(NaN, 0, 1.7e12),
    })
    fc.assert(
      fc.property(text, fc.array(message, { maxLength: 12 }), (query, messages) => {
        const sorted = [...messages].sort((left, right) => left.session - right.session)
        const { scores, explain } = rank(query, sorted)
        expect(scores.length).toBe(sorted.length)
        scores.forEach((score, row) => {
          expect(score).toBeGreaterThanOrEqual(0)
          expect(explain(row).reduce((sum, { value }) => sum + value, 0)).toBeCloseTo(score, 9)
        })
      }),
    )
  })
})
