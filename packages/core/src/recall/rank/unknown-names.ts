/** Names of a query that no message holds are read as single words: "testing-related" becomes two. */
import type { QueryTerm } from '../../text-analysis/query.ts'

/**
 * Turns the parts of names that nothing holds as a whole into terms of the kind `word`. `holding`: by term, how many
 * passages (or sessions) hold it. All others stay as they are, in order.
 */
export const splitUnknownNames = (terms: readonly QueryTerm[], holding: ArrayLike<number>): readonly QueryTerm[] => {
  if (!terms.some(({ kind }) => kind === 'part')) return terms
  const knownNames = terms.filter(({ kind }, term) => kind !== 'part' && (holding[term] ?? 0) > 0)
  const isPartOfUnknown = ({ kind, text }: QueryTerm): boolean =>
    kind === 'part' && !knownNames.some((name) => name.text.length > text.length && name.text.includes(text))
  return terms.map((term) => (isPartOfUnknown(term) ? { ...term, kind: 'word' } : term))
}
