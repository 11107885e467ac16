/** What is done otherwise above fifty thousand messages: words that are nearly everywhere choose no candidates, but count. */
import { describe, expect, it } from '@jest/globals'
import { analyseMessage } from '../../text-analysis/message-analysis.ts'
import { analyseQuery } from '../../text-analysis/query.ts'
import { buildMatchTable } from './build-table.ts'
import { buildSegment } from './build.ts'
import { chooseCandidates, scoreMessages, scorePassages } from './candidates.ts'
import { selectCorpus } from './corpus.ts'
import type { IndexedMessage } from './message-codec.ts'
import { Scratch } from './scratch.ts'
import { matchTerms } from './term-matches.ts'
import { createView, type View } from './view.ts'

const MESSAGES = 52_000
const PER_SESSION = 40

/** "common" in two of three messages (now and then in the plural), "harbour" in every eighth, "walrus" in every 6,000th. */
const textOf = (index: number): string =>
  [
    index % 3 === 0 ? 'plain' : index % 10 === 0 ? 'commons commons' : 'common',
    index % 8 === 0 ? 'harbour' : 'words',
    ...(index % 6_000 === 500 ? ['walrus'] : []),
  ].join(' ')

const analysed = new Map<string, IndexedMessage['message']>()
const messageOf = (index: number): IndexedMessage => {
  const text = textOf(index)
  const message = analysed.get(text) ?? analyseMessage({ role: 'user', kind: 'text', texts: [text] })
  analysed.set(text, message)
  return { session: 1 + Math.floor(index / PER_SESSION), seq: index % PER_SESSION, at: index, message }
}

const all = Array.from({ length: MESSAGES }, (_, index) => messageOf(index))
const view: View = createView(
  [0, 1, 2].map((part) =>
    buildSegment(
      all
        .filter((_, index) => index % 3 === part || (part === 0 && index < 100))
        .filter((message) => part === 0 || message.at >= 100),
    ),
  ),
)

const asked = async (text: string, limits: Parameters<typeof selectCorpus>[1], most: number) => {
  const scratch = new Scratch()
  const corpus = selectCorpus(view, limits)
  const matches = await matchTerms(view, corpus, analyseQuery(text), async () => new Map(), scratch)
  const rough = scoreMessages(
    view,
    scorePassages(
      view,
      corpus,
      matches,
      matches.terms.map(() => 1),
      scratch,
    ),
    undefined,
    scratch,
  )
  const chosen = chooseCandidates(view, rough, undefined, most)
  return { matches, chosen, ...buildMatchTable(view, corpus, matches, chosen.positions, scratch) }
}

describe('a view of more than fifty thousand messages', () => {
  it('holds every message once, each session in order', () => {
    expect(view.messages).toBe(MESSAGES)
    expect(view.sessions.length).toBe(MESSAGES / PER_SESSION)
  })

  it.each([
    ['all of them', {}, 0],
    ['the later ones', { since: 1_000 }, 1_000],
  ])('counts words that occur in almost every message exactly (%s)', async (_, limits, from) => {
    const { matches, table } = await asked('common harbour walrus', limits, 500)
    expect(matches.terms.filter(({ dense }) => dense !== undefined).map(({ term }) => term.text)).toEqual(['common'])
    const column = table.terms.findIndex(({ text }) => text === 'common')
    const counted = all.slice(from)
    const holds = (index: number): boolean => index % 3 !== 0
    expect(table.corpus.termPassages[column]).toBe(counted.filter((_message, index) => holds(index + from)).length)
    expect(table.corpus.termForms[column]).toBe(
      counted.filter((_message, index) => holds(index + from) && (index + from) % 10 !== 0).length,
    )
    expect(table.corpus.termSessions[column]).toBe(Math.ceil(counted.length / PER_SESSION))
    for (let row = 0; row < table.rows; row += 1) {
      const index = table.at[row] ?? 0
      expect([index, table.counts[(table.firstPassage[row] ?? 0) * table.terms.length + column]]).toEqual([
        index,
        holds(index) ? (index % 10 === 0 ? 2 : 1) : 0,
      ])
    }
    const sums = new Map<number, number>()
    for (const { session, at } of counted)
      sums.set(session, (sums.get(session) ?? 0) + (holds(at) ? (at % 10 === 0 ? 2 : 1) : 0))
    table.session.forEach((session, row) => {
      expect(table.sessionCounts[session * table.terms.length + column]).toBe(
        sums.get(1 + Math.floor((table.at[row] ?? 0) / PER_SESSION)),
      )
    })
  })

  it('keeps the best of many matches, and reports how many there were', async () => {
    const { chosen, table } = await asked('harbour walrus', {}, 50)
    expect(chosen.matched).toBe(all.filter((_, index) => index % 8 === 0 || index % 6_000 === 500).length)
    const rare = all.filter((_, index) => index % 6_000 === 500).map(({ at }) => at)
    const candidates = new Set([...table.at].filter((_, row) => table.candidate[row] === 1))
    for (const at of rare) expect(candidates.has(at)).toBe(true)
  })
})
