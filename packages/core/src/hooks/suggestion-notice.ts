/**
 * Memory suggestions that await the user's decision: what is stored of them until a session starts, and what is shown
 * then.
 */
import { arrayOf, isJsonObject, parseJson, stringOf } from '../json.ts'
import { decisionKey } from '../suggestions/decision-key.ts'
import type { SuggestionReport } from '../suggestions/suggestions.ts'

/** A suggestion that was undecided when the report was made. */
export interface WaitingSuggestion {
  readonly id: string
  /** Offered only while this branch is checked out; absent: always. */
  readonly branch?: string
}

/** Ids become file names. */
const ID = /^[0-9a-f]{12}$/

/**
 * The suggestions of a report to announce, in order; those about a branch's files carry `branch`, the report's branch.
 */
export const waitingIn = (
  { suggestions }: SuggestionReport,
  branch: string | undefined,
): readonly WaitingSuggestion[] =>
  suggestions.map(({ id, rule }) => (rule === 'branch-files' && branch !== undefined ? { id, branch } : { id }))

/** Parses stored suggestions (JSON); damaged rows are left out, and a damaged text gives none. Never throws. */
export const parseWaiting = (text: string): readonly WaitingSuggestion[] =>
  arrayOf(parseJson(text)?.value).flatMap((value): readonly WaitingSuggestion[] => {
    if (!isJsonObject(value)) return []
    const [id, branch] = [stringOf(value.id), stringOf(value.branch)]
    if (id === undefined || !ID.test(id)) return []
    return [branch === undefined ? { id } : { id, branch }]
  })

/** Ids of the undecided suggestions offered on a branch. `decisions`: the keys of the workspace's state. */
export const offeredIds = (
  waiting: readonly WaitingSuggestion[],
  branch: string | undefined,
  decisions: { has(key: string): boolean },
): readonly string[] =>
  waiting
    .filter((each) => (each.branch === undefined || each.branch === branch) && !decisions.has(decisionKey(each.id)))
    .map(({ id }) => id)

/** The sentence for the user about `offered` suggestions, of which `fresh` are new; empty if none is new. */
export const suggestionNotice = (offered: number, fresh: number): string => {
  if (fresh === 0) return ''
  const some = fresh < offered ? `, ${fresh} new` : ''
  return `Cairn: ${offered} suggestion${offered === 1 ? '' : 's'} for this project's memory${some}: cairn memory suggest`
}
