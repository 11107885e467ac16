import { describe, expect, it } from '@jest/globals'
import { analyseQuery } from '../../text-analysis/query.ts'
import { analyseQueryFacts } from './query-facts.ts'
import { rankSessions } from './rank-sessions.ts'
import { BEST_OF_SESSION, type FileFacts, type SessionTable } from './session-table.ts'

interface PlainSession {
  readonly branch?: string
  /** Score of its best message. */
  readonly best?: number
  /** Words of the query that its user said. */
  readonly withoutResults?: readonly string[]
}

const tableOf = (
  query: string,
  sessions: readonly PlainSession[],
  files: readonly Partial<FileFacts>[] = [],
): SessionTable => {
  const terms = analyseQuery(query)
  const counts = Float32Array.from(
    sessions.flatMap(({ withoutResults = [] }) =>
      terms.map(({ text }) => withoutResults.filter((word) => word === text).length),
    ),
  )
  const field = {
    counts,
    tokens: Float64Array.from(sessions, () => 10),
    termSessions: terms.map(
      (_, term) => sessions.filter((_, row) => (counts[row * terms.length + term] ?? 0) > 0).length,
    ),
  }
  return {
    terms,
    sessions: sessions.length,
    branch: sessions.map(({ branch }) => branch ?? null),
    at: Float64Array.from(sessions, (_, row) => row),
    fields: { all: field, user: field, withoutResults: field },
    best: Float32Array.from(
      sessions.flatMap(({ best = 0 }) => [best, ...Array.from({ length: BEST_OF_SESSION - 1 }, () => 0)]),
    ),
    files: files.map((file) => ({
      path: 'src/a.ts',
      editedBy: new Int32Array(),
      touchedBy: new Int32Array(),
      editScores: new Float32Array(),
      ...file,
    })),
  }
}
const order = (query: string, table: SessionTable, branch?: string) => {
  const { scores } = rankSessions(table, { ...analyseQueryFacts(query), branch })
  return [...scores.keys()]
    .filter((row) => (scores[row] ?? 0) > 0)
    .sort((left, right) => (scores[right] ?? 0) - (scores[left] ?? 0))
}

describe('rankSessions', () => {
  it('goes from the request to files, and from files to the sessions that edited them', () => {
    const files = [
      {
        path: 'src/session-log.ts',
        editScores: Float32Array.of(9, 4),
        editedBy: Int32Array.of(2),
        touchedBy: Int32Array.of(0, 2),
      },
    ]
    expect(order('append is slow', tableOf('append is slow', [{}, {}, {}, {}], files))).toEqual([2])
  })

  it('finds sessions that touched a named file, also without an edit', () => {
    const files = [{ path: 'src/session-log.ts', touchedBy: Int32Array.of(1) }]
    expect(order('look at session-log.ts', tableOf('look at session-log.ts', [{}, {}], files))).toEqual([1])
  })

  it('scores the same branch, main only a little, and files that the branch edited', () => {
    const sessions = [{ branch: 'main' }, { branch: 'feature/login' }, { branch: 'other' }]
    const files = [{ editedBy: Int32Array.of(1, 2), touchedBy: Int32Array.of(1, 2), editScores: Float32Array.of(1) }]
    expect(order('fix the build', tableOf('fix the build', sessions, files), 'feature/login')).toEqual([1, 2])
    const scores = (branch: string) => rankSessions(tableOf('', sessions), { ...analyseQueryFacts(''), branch }).scores
    expect(scores('feature/login')[1]).toBeGreaterThan(scores('main')[0] ?? 0)
    expect(scores('main')[0]).toBeGreaterThan(0)
  })

  it('scores the words of a session, and how well its best messages match', () => {
    expect(
      order(
        'red lighthouse',
        tableOf('red lighthouse', [
          {},
          { withoutResults: ['red'] },
          { withoutResults: ['red', 'lighthouse'], best: 2 },
        ]),
      ),
    ).toEqual([2, 1])
  })

  it('explains each score as a sum', () => {
    const table = tableOf('red', [{ branch: 'x', withoutResults: ['red'], best: 1 }, {}])
    const { scores, explain } = rankSessions(table, { ...analyseQueryFacts('red'), branch: 'x' })
    expect(explain(0).reduce((sum, { value }) => sum + value, 0)).toBeCloseTo(scores[0] ?? 0, 9)
    expect(explain(0).map(({ name }) => name)).toContain('same branch')
    expect(explain(1)).toEqual([])
  })

  it('returns nothing for no sessions', () => {
    expect(order('red', tableOf('red', []))).toEqual([])
  })
})
