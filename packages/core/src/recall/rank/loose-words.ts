/** Names of a query that stand nowhere: "testing-related" are two words then. */
import type { QueryTerm } from '../../text-analysis/query.ts'

/**
 * The terms, parts of names that nothing holds as a whole being words like any other. `holding`: by term, how many passages
 * (or sessions) hold it.
 */
export const withLooseWords = (terms: readonly QueryTerm[], holding: ArrayLike<number>): readonly QueryTerm[] => {
  if (!terms.some(({ kind }) => kind === 'part')) return terms
  const wholes = terms.filter(({ kind }, term) => kind !== 'part' && (holding[term] ?? 0) > 0)
  const isLoose = ({ kind, text }: QueryTerm): boolean =>
    kind === 'part' && !wholes.some((whole) => whole.text.length > text.length && whole.text.includes(text))
  return terms.map((term) => (isLoose(term) ? { ...term, kind: 'word' } : term))
}
