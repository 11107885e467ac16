import type { SuggestionView } from './memory-view.ts'
import { withDecided } from './use-decisions.ts'

const suggestion = (id: string): SuggestionView => ({
  id,
  kind: 'workflow',
  text: id,
  sessions: 3,
  of: 5,
  evidence: [],
})
const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(suggestion) as [
  SuggestionView,
  SuggestionView,
  SuggestionView,
  SuggestionView,
]
const shown = (...rows: Parameters<typeof withDecided>): readonly string[] =>
  withDecided(...rows).map(({ suggestion: { id }, decision }) => (decision === undefined ? id : `${id}: ${decision}`))

describe('withDecided', () => {
  it('leaves what was decided where it stood, whether the list still has it or not', () => {
    const second = { suggestion: b, index: 1, decision: 'Remembered' } as const
    const first = { suggestion: a, index: 0, decision: 'Dismissed' } as const
    expect(shown([a, b, c], [])).toEqual(['a', 'b', 'c'])
    expect(shown([a, b, c], [second])).toEqual(['a', 'b: Remembered', 'c'])
    expect(shown([a, c], [second])).toEqual(['a', 'b: Remembered', 'c'])
    expect(shown([c, d], [second, first])).toEqual(['a: Dismissed', 'b: Remembered', 'c', 'd'])
    expect(shown([], [second])).toEqual(['b: Remembered'])
  })
})
