/** Suggestions for the memory that wait for the user's decision: what is kept of them until a session starts, and what is said then. */
import { arrayOf, isJsonObject, parseJson, stringOf } from '../json.ts'
import { decisionKey } from '../suggestions/decision-key.ts'
import type { SuggestionReport } from '../suggestions/suggestions.ts'

/** A suggestion that nobody had decided about when it was looked for. */
export interface WaitingSuggestion {
  readonly id: string
  /** It is offered only while this branch is checked out; absent: always. */
  readonly branch?: string
}

/** Ids become names of files. */
const ID = /^[0-9a-f]{12}$/

/**
 * What of a report waits to be told, in its order; those that are for a branch's files carry `branch`, the one that
 * the report was made for.
 */
export const waitingIn = (
  { suggestions }: SuggestionReport,
  branch: string | undefined,
): readonly WaitingSuggestion[] =>
  suggestions.map(({ id, rule }) => (rule === 'branch-files' && branch !== undefined ? { id, branch } : { id }))

/**
 * What a text made of waiting suggestions (JSON) holds; rows that are damaged are left out, and nothing is known of a
 * text that is. Never throws.
 */
export const parseWaiting = (text: string): readonly WaitingSuggestion[] =>
  arrayOf(parseJson(text)?.value).flatMap((value): readonly WaitingSuggestion[] => {
    if (!isJsonObject(value)) return []
    const [id, branch] = [stringOf(value.id), stringOf(value.branch)]
    if (id === undefined || !ID.test(id)) return []
    return [branch === undefined ? { id } : { id, branch }]
  })

/** Ids of those that are offered on a branch and not decided about. `decisions`: the keys of the workspace's state. */
export const offeredIds = (
  waiting: readonly WaitingSuggestion[],
  branch: string | undefined,
  decisions: { has(key: string): boolean },
): readonly string[] =>
  waiting
    .filter((each) => (each.branch === undefined || each.branch === branch) && !decisions.has(decisionKey(each.id)))
    .map(({ id }) => id)

/**
 * The sentence for the user about `offered` suggestions, of which `fresh` are new to them; empty where none is new.
 */
export const suggestionNotice = (offered: number, fresh: number): string => {
  if (fresh === 0) return ''
  const some = fresh < offered ? `, ${fresh} new` : ''
  return `Cairn: ${offered} suggestion${offered === 1 ? '' : 's'} for this project's memory${some}: cairn memory suggest`
}
