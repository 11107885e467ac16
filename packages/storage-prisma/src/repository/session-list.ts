/**
 * Which sessions a list holds, and in which order, as SQL over the table `session`. All columns that it reads, except
 * titles, are in one index (`session_list_idx`): 200,000 sessions are filtered, counted and sorted without reading
 * their rows.
 */
import { CairnError } from '@cairn/core'
import type { SessionQuery, SessionSort, SortOrder } from '@cairn/core'
import type { SqlReader, SqlValue } from '../sql/database.ts'
import { dimensionIds, markersFor, workspaceIdsAt } from './dimension-ids.ts'
import { storableText } from './labels.ts'
import type { Condition } from './usage-source.ts'

/** SQLite limits patterns to 50,000 bytes; names and titles are far shorter. */
const LONGEST_PART = 8000

/**
 * The text with the wildcards of LIKE escaped by a backslash; `%` is for the caller to add. Empty text gives empty
 * text.
 * @throws CairnError `usage` for an overlong text
 */
export const likePattern = (text: string): string => {
  if (text.length > LONGEST_PART)
    throw new CairnError(
      'usage',
      `A text of ${text.length} characters is too long to look for in the ids and titles of sessions; at most ${LONGEST_PART} can be given.`,
    )
  return text.replace(/[\\%_]/g, '\\$&')
}

/**
 * A `WHERE` clause with its parameters, or '' without filters; a session must fit all of them. It was active between
 * `since` (inclusive) and `until` (exclusive), ms, its title contains `text` (in any case; on SQLite that is so of
 * ASCII only), it had requests of the model, and is or was on the branch. Names are resolved to ids first, because the
 * query planner knows how many rows an id has, but not how many a subquery returns; an unknown name matches no session.
 */
export const listFilter = async (database: SqlReader, query: SessionQuery): Promise<Condition> => {
  const conditions: string[] = []
  const parameters: SqlValue[] = []
  const where = (sql: string, ...values: readonly SqlValue[]): void => {
    conditions.push(sql)
    parameters.push(...values)
  }
  for (const dimension of ['agent', 'workspace', 'project', 'branch', 'model', 'person'] as const) {
    const value = query[dimension]
    if (value === undefined) continue
    const ids = await dimensionIds(database, dimension, value)
    const { uses, sql } = conditionOn[dimension]
    where(sql(markersFor(ids)), ...Array.from({ length: uses }, () => ids).flat())
  }
  const { text, since, until, workspaces } = query
  if (workspaces !== undefined) {
    const ids = await workspaceIdsAt(database, workspaces)
    where(conditionOn.workspace.sql(markersFor(ids)), ...ids)
  }
  if (text !== undefined)
    where("lower(session.title) LIKE lower(?) ESCAPE '\\'", `%${likePattern(storableText(text))}%`)
  if (query.favourites === true) where('session.favourite = 1')
  if (since !== undefined) where('session.updated_at >= ?', since)
  if (until !== undefined) where('session.started_at < ?', until)
  return { sql: conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`, parameters }
}

/** Conditions on a dimension. `ids`: a list of parameters, for each time that `uses` says. */
const conditionOn = {
  agent: { uses: 1, sql: (ids: string) => `session.agent_id IN (${ids})` },
  workspace: { uses: 1, sql: (ids: string) => `session.workspace_id IN (${ids})` },
  project: { uses: 1, sql: (ids: string) => `session.workspace_id IN (${ids})` },
  // A session of this store's own machine has none, as in usage.
  person: { uses: 1, sql: (ids: string) => `coalesce(session.machine_id, 0) IN (${ids})` },
  // Its own branch is its last one; a session may have been on several. A branch has few sessions: they are looked up first.
  branch: {
    uses: 2,
    sql: (ids: string) =>
      `(session.branch_id IN (${ids}) OR session.id IN (SELECT session_id FROM usage_day WHERE usage_day.branch_id IN (${ids})))`,
  },
  // A model may have half of all sessions: each is asked for it.
  model: {
    uses: 1,
    sql: (ids: string) =>
      `EXISTS (SELECT 1 FROM usage_day WHERE usage_day.session_id = session.id AND usage_day.model_id IN (${ids}))`,
  },
} as const

const sortColumn: Readonly<Record<SessionSort, string>> = {
  updated: 'session.updated_at',
  started: 'session.started_at',
  cost: 'session.cost_nano',
  messages: 'session.message_count',
}

/**
 * What follows `ORDER BY`. Unknown values are last in both directions; the session's row id breaks ties, in the same
 * direction.
 */
export const listOrder = (sort: SessionSort, order: SortOrder): string => {
  const direction = order === 'ascending' ? 'ASC' : 'DESC'
  return `${sortColumn[sort]} ${direction} NULLS LAST, session.id ${direction}`
}
