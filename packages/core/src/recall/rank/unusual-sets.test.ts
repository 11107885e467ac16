/** Sets of other kinds than those that the weights were set on: whatever stands there, scores are numbers and the order is sensible. */
import { describe, expect, it } from '@jest/globals'
import { matchTableOf, type TestMessage } from './match-table.fixture.ts'
import { analyseQueryFacts } from './query-facts.ts'
import { rankMessages } from './rank-messages.ts'

const TALK: readonly string[] = [
  'I adopted a walrus from the harbour shelter.',
  'That is lovely! What is it called?',
  'Gustav. He eats forty herrings a day.',
  'My sister plays the trombone in Lisbon.',
  'Does she tour a lot?',
  'Only in spring, mostly in Porto.',
  'Die Rechnung für den Leuchtturm kam gestern.',
  'Wie hoch ist sie?',
  'Vierhundert Euro, für neue Fenster.',
]
const SESSION_MESSAGES = 3
const NAMES = ['Ann', 'Ben'] as const

const kinds: Readonly<Record<string, (text: string, index: number) => TestMessage>> = {
  'roles instead of authors': (text, index) => ({
    text,
    role: index % 2 === 0 ? 'user' : 'assistant',
    session: Math.floor(index / SESSION_MESSAGES),
    at: index * 1e9,
  }),
  'authors that all have the role of the user': (text, index) => ({
    text,
    author: NAMES[index % 2 === 0 ? 0 : 1],
    session: Math.floor(index / SESSION_MESSAGES),
    at: index * 1e9,
  }),
  'no times': (text, index) => ({ text, session: Math.floor(index / SESSION_MESSAGES) }),
  'a single session': (text, index) => ({ text, at: index * 1e9 }),
}
const long = (words: string): string =>
  `${words} ${Array.from({ length: 300 }, (_, index) => `filler${String(index)}`).join(' ')}`

const order = (query: string, messages: readonly TestMessage[]): readonly number[] => {
  const { scores } = rankMessages(matchTableOf(query, messages), analyseQueryFacts(query))
  expect([...scores].filter((score) => !Number.isFinite(score) || score < 0)).toEqual([])
  return [...scores.keys()]
    .filter((row) => (scores[row] ?? 0) > 0)
    .sort((left, right) => (scores[right] ?? 0) - (scores[left] ?? 0))
}

describe.each(Object.entries(kinds))('%s', (_, messageOf) => {
  const messages = TALK.map(messageOf)
  it.each([
    ['one word', 'walrus', [0]],
    ['a question', 'Who plays the trombone in Lisbon?', [3]],
    ['the answer follows a question', 'What is the walrus called?', [0, 1, 2]],
    ['German', 'Wie hoch war die Rechnung für den Leuchtturm?', [6, 8]],
    ['German words', 'Rechnung Leuchtturm', [6]],
    ['a date that no message fits', 'What did they say about herrings in May 2031?', [2]],
    ['300 words', long('the trombone of my sister'), [3]],
    ['a question of 300 words', long('Where does my sister play the trombone?'), [3]],
  ])('%s', (_kind, query, first) => {
    expect([...order(query, messages).slice(0, first.length)].sort()).toEqual(first)
  })

  it.each(['zeppelin', '?', '', 'the', '…'])('finds nothing wrong by "%s"', (query) => {
    expect(order(query, messages).length).toBeLessThan(TALK.length)
  })
})

describe('very short messages', () => {
  const messages = ['ok', 'yes', 'tea?', 'no', 'milk', '👍', '', 'yes please', 'sugar?', 'two'].map(
    (text): TestMessage => ({ text }),
  )
  it.each([
    ['milk', [4]],
    ['yes', [1, 7]],
    ['Was there tea?', [2, 3]],
    ['How much sugar?', [8, 9]],
  ])('%s', (query, first) => {
    expect([...order(query, messages).slice(0, first.length)].sort()).toEqual(first)
  })
})

it.each([
  ['no message', []],
  ['one message', ['a walrus']],
  ['messages without words', ['', '…', '']],
])('%s', (_, texts) => {
  expect(
    order(
      'Where is the walrus?',
      texts.map((text) => ({ text })),
    ),
  ).toEqual(texts.flatMap((text, row) => (text.includes('walrus') ? [row] : [])))
})
