/**
 * Sums by provider: of whole days from their rollup, and of what a day is cut at from the requests. What the rollup can't
 * tell apart is summed from the requests alone.
 */
import { CairnError } from '@cairn/core'
import type { ProviderSum, ProviderSumsQuery, UsageDimension } from '@cairn/core'
import { unequalSums } from '../sql/damaged.ts'
import type { SqlDatabase, SqlValue } from '../sql/database.ts'
import { markersFor } from './dimension-ids.ts'
import { assertNamesIntact } from './integrity.ts'
import { storableText } from './labels.ts'
import { machineRows, namesOfMachines } from './machines.ts'
import { NO_TIME, dayPlan } from './provider-days.ts'
import type { DayPlan, Piece } from './provider-days.ts'
import { ALL_REQUESTS, PROVIDER_DIMENSIONS, PROVIDER_SUMS, marginNumber } from './rollups.ts'
import { groupNames } from './usage-groups.ts'
import type { Condition } from './usage-source.ts'

interface SumRow {
  /** {@link NO_TIME}: without a time. */
  readonly span: number
  readonly provider_id: number
  readonly agent_id: number
  readonly model_id: number
  /** 0: none, or not told apart. */
  readonly workspace_id: number
  /** 0: none. */
  readonly machine: number
  readonly requests: number
  readonly cost_text: string
  readonly unpriced: number
}

/** The span of the row that is the difference between this rollup and another. */
const CROSS_CHECK = -2
const KEYS = 'provider_id, agent_id, model_id, workspace_id'
const FACT_SUMS =
  '1 AS requests, COALESCE(cost_nano, 0) AS cost_nano, CASE WHEN cost_state = 2 THEN 1 ELSE 0 END AS unpriced'
const SUMS = PROVIDER_SUMS.join(', ')
const LESS = PROVIDER_SUMS.map((column) => `-${column}`).join(', ')

/** Throws `invalid-input` for what can't be a boundary. */
const assertBoundaries = (boundaries: readonly number[]): void => {
  if (!boundaries.every((boundary) => Number.isSafeInteger(boundary)))
    throw new CairnError('invalid-input', 'The boundaries of spans must be whole numbers of milliseconds since 1970.')
}

/** Which span a request is in, as SQL. */
const spanExpression = (boundaries: readonly number[]): string => {
  const cases = boundaries.map((boundary, span) => `WHEN "at" < ${boundary} THEN ${span}`)
  return `CASE WHEN "at" IS NULL THEN ${NO_TIME} ${cases.join(' ')} ELSE ${boundaries.length} END`
}

/** The condition for a range, as reports cover it: one without a beginning has an end only after 1970. */
export const rangeCondition = ({ since, until }: Pick<ProviderSumsQuery, 'since' | 'until'>): Condition => {
  if (since === undefined && until === undefined) return { sql: 'TRUE', parameters: [] }
  const from = since ?? 0
  return until === undefined
    ? { sql: '"at" >= ?', parameters: [from] }
    : { sql: '"at" >= ? AND "at" < ?', parameters: [from, until] }
}

/** Ids of the folders that are told apart; undefined: all. */
type ToldFolders = readonly number[] | undefined

/** The folder's id, or 0 where it is not told apart, as SQL. */
const folderExpression = (told: ToldFolders): Condition =>
  told === undefined
    ? { sql: 'workspace_id', parameters: [] }
    : told.length === 0
      ? { sql: '0', parameters: [] }
      : { sql: `CASE WHEN workspace_id IN (${markersFor(told)}) THEN workspace_id ELSE 0 END`, parameters: told }

const DAY_MS = 86_400_000
/** Filters that few sessions pass: their requests are found by session, and not by time. */
const BY_SESSION: readonly UsageDimension[] = ['branch', 'session', 'machine', 'person']

/** The condition for requests of a range and a filter. @param isSqlite its planner has to be told what to search by */
const factCondition = (query: ProviderSumsQuery, filter: Condition, isSqlite: boolean): Condition => {
  const range = rangeCondition(query)
  if (!BY_SESSION.some((name) => query.filter?.[name] !== undefined))
    return { sql: `${range.sql}${filter.sql}`, parameters: [...range.parameters, ...filter.parameters] }
  const days = [
    ...(query.since === undefined ? [] : [['>=', query.since] as const]),
    ...(query.until === undefined ? [] : [['<=', query.until] as const]),
  ].map(([is, ms]) => ` AND "day" ${is} ${Math.floor(ms / DAY_MS)}`)
  return {
    sql: `${isSqlite ? range.sql.replaceAll('"at"', '+"at"') : range.sql}${filter.sql}
      AND session_id IN (SELECT session_id FROM usage_day WHERE TRUE${filter.sql}${days.join('')})`,
    parameters: [...range.parameters, ...filter.parameters, ...filter.parameters],
  }
}

/** The sums of a query from the requests themselves; `filter` as reports have it. */
const sumsOfFacts = (
  query: ProviderSumsQuery,
  filter: Condition,
  told: ToldFolders,
  { hasMachines, isSqlite }: { readonly hasMachines: boolean; readonly isSqlite: boolean },
): Condition => {
  // In a user's own store there are none, and each request would be looked up for nothing.
  const [machine, origin] = hasMachines
    ? [
        'COALESCE(machine_id, 0)',
        'LEFT JOIN (SELECT id AS origin_id, machine_id FROM session) AS origin ON origin_id = session_id',
      ]
    : ['0', '']
  const [folder, condition] = [folderExpression(told), factCondition(query, filter, isSqlite)]
  return {
    sql: `SELECT span, ${KEYS}, machine, sum(requests) AS requests, CAST(sum(cost_nano) AS TEXT) AS cost_text, sum(unpriced) AS unpriced
      FROM (SELECT ${spanExpression(query.boundaries)} AS span, provider_id, agent_id, model_id, ${folder.sql} AS workspace_id,
        ${machine} AS machine, ${FACT_SUMS} FROM usage_fact ${origin} WHERE ${condition.sql}) AS facts
      GROUP BY span, ${KEYS}, machine`,
    parameters: [...folder.parameters, ...condition.parameters],
  }
}

/** Rows of the rollup that add up to what is asked, and how they are counted. */
interface Source {
  readonly dimension: number
  /** The folder of a row, as SQL. */
  readonly folder: Condition
  /** Beside the filter of the query. */
  readonly only?: Condition
  readonly isTakenAway?: boolean
}

const NO_FOLDER: Condition = { sql: '0', parameters: [] }
/** What the rollup can be filtered by. */
const FILTERED: readonly string[] = ['model', 'agent', 'workspace', 'project', 'branch'] satisfies UsageDimension[]

/** What of the rollup answers a query; undefined where it can't. */
const sourcesOf = ({ filter = {} }: ProviderSumsQuery, told: ToldFolders): readonly Source[] | undefined => {
  const names = Object.keys(filter)
  if (!names.every((name) => FILTERED.includes(name))) return undefined
  const { workspace_id: ofFolders, branch_id: ofBranches } = PROVIDER_DIMENSIONS
  const hasFolder = names.includes('workspace') || names.includes('project')
  if (names.includes('branch'))
    return hasFolder || told === undefined ? undefined : [{ dimension: ofBranches, folder: NO_FOLDER }]
  if (hasFolder || told === undefined) return [{ dimension: ofFolders, folder: folderExpression(told) }]
  const all: Source = { dimension: ALL_REQUESTS, folder: NO_FOLDER }
  if (told.length === 0) return [all]
  const only: Condition = { sql: ` AND workspace_id IN (${markersFor(told)})`, parameters: told }
  return [
    all,
    { dimension: ofFolders, folder: { sql: 'workspace_id', parameters: [] }, only },
    { dimension: ofFolders, folder: NO_FOLDER, only, isTakenAway: true },
  ]
}

/** The condition for the days of a plan. */
const dayCondition = ({ runs, hasUntimed }: DayPlan): Condition => {
  const [first, last] = [runs[0], runs.at(-1)]
  if (hasUntimed) return { sql: 'TRUE', parameters: [] }
  if (first === undefined || last === undefined) return { sql: 'FALSE', parameters: [] }
  return Number.isFinite(last.end)
    ? { sql: '"day" >= ? AND "day" < ?', parameters: [first.first, last.end] }
    : { sql: '"day" >= ?', parameters: [first.first] }
}

/** The rollup's rows of one source. */
const daysOf = (
  { dimension, folder, only = { sql: '', parameters: [] }, isTakenAway = false }: Source,
  plan: DayPlan,
  filter: Condition,
): Condition => {
  const cases = plan.runs.slice(0, -1).map(({ end, span }) => `WHEN "day" < ${end} THEN ${span}`)
  const span = `CASE WHEN "day" < 0 THEN ${NO_TIME} ${cases.join(' ')} ELSE ${plan.runs.at(-1)?.span ?? 0} END`
  const days = dayCondition(plan)
  return {
    sql: `SELECT ${span} AS span, provider_id, agent_id, model_id, ${folder.sql} AS workspace_id, ${isTakenAway ? LESS : SUMS}
      FROM (SELECT value_id AS workspace_id, value_id AS branch_id, "day", provider_id, agent_id, model_id, ${SUMS}
        FROM usage_provider WHERE dimension = ${dimension}) AS days WHERE ${days.sql}${filter.sql}${only.sql}`,
    parameters: [...folder.parameters, ...days.parameters, ...filter.parameters, ...only.parameters],
  }
}

const timesOf = ({ from, until }: Piece): string =>
  Number.isFinite(from) ? `"at" >= ${from} AND "at" < ${until}` : `"at" < ${until}`

/** The requests of pieces, added to a span or taken from one; undefined where there are none. */
const factsOf = (
  pieces: readonly Piece[],
  sums: string,
  spanOf: (piece: Piece) => number | undefined,
  folder: Condition,
  filter: Condition,
): readonly Condition[] => {
  const counted = pieces.filter((piece) => spanOf(piece) !== undefined)
  if (counted.length === 0) return []
  // They are in order of time, and do not overlap.
  const cases = counted.map((piece) => `WHEN "at" < ${piece.until} THEN ${spanOf(piece)}`)
  return [
    {
      sql: `SELECT span, ${KEYS}, ${sums} FROM (SELECT CASE ${cases.join(' ')} END AS span, provider_id, agent_id, model_id,
          ${folder.sql} AS workspace_id, ${FACT_SUMS}
        FROM usage_fact WHERE (${counted.map((piece) => `(${timesOf(piece)})`).join(' OR ')})${filter.sql}) AS pieces`,
      parameters: [...folder.parameters, ...filter.parameters],
    },
  ]
}

/**
 * Moves the requests of folders that are told apart from the rest to their folders, one by one: the rollup knows no folders
 * of a branch.
 */
const foldersApart = (
  query: ProviderSumsQuery,
  filter: Condition,
  told: readonly number[],
  isSqlite: boolean,
): readonly Condition[] => {
  const condition = factCondition(
    query,
    {
      sql: `${filter.sql} AND workspace_id IN (${markersFor(told)})`,
      parameters: [...filter.parameters, ...told],
    },
    isSqlite,
  )
  return (['workspace_id', '0'] as const).map((folder) => ({
    sql: `SELECT span, ${KEYS}, ${folder === '0' ? LESS : SUMS} FROM (SELECT ${spanExpression(query.boundaries)} AS span,
        provider_id, agent_id, model_id, ${folder} AS workspace_id, ${FACT_SUMS} FROM usage_fact WHERE ${condition.sql}) AS apart`,
    parameters: condition.parameters,
  }))
}

/** One row: by how much the rollup differs from another, which has the same requests without a filter. */
const crossCheck = ({ dimension }: Source, plan: DayPlan): Condition => {
  const days = dayCondition(plan)
  const all = (from: string): string =>
    `SELECT ${PROVIDER_SUMS.map((column) => `COALESCE(sum(${column}), 0) AS ${column}`).join(', ')} FROM ${from} AND ${days.sql}`
  // Of all margins the one of the modes has the fewest rows.
  const differences = PROVIDER_SUMS.map((column) => `mine.${column} - others.${column} AS ${column}`)
  return {
    sql: `SELECT ${CROSS_CHECK} AS span, 0 AS provider_id, 0 AS agent_id, 0 AS model_id, 0 AS workspace_id, ${differences.join(', ')}
      FROM (${all(`usage_provider WHERE dimension = ${dimension}`)}) AS mine
      CROSS JOIN (${all(`usage_margin WHERE dimension = ${marginNumber['mode_id'] ?? 0}`)}) AS others`,
    parameters: [...days.parameters, ...days.parameters],
  }
}

/** The sums of a query from the rollup, where it has them; see {@link sumsOfFacts}. */
const sumsOfDays = (
  query: ProviderSumsQuery,
  filter: Condition,
  told: ToldFolders,
  isSqlite: boolean,
): Condition | undefined => {
  const sources = sourcesOf(query, told)
  const [main] = sources ?? []
  if (sources === undefined || main === undefined) return undefined
  const { since, until, boundaries } = query
  const plan = dayPlan({ since, until }, boundaries)
  const isOfBranch = main.dimension === PROVIDER_DIMENSIONS.branch_id
  const folder = isOfBranch ? NO_FOLDER : folderExpression(told)
  const parts = [
    ...sources.map((source) => daysOf(source, plan, filter)),
    ...factsOf(plan.pieces, SUMS, ({ to }) => to, folder, filter),
    ...factsOf(plan.pieces, LESS, ({ of }) => of, folder, filter),
    ...(isOfBranch && told !== undefined && told.length > 0 ? foldersApart(query, filter, told, isSqlite) : []),
    ...(filter.sql === '' ? [crossCheck(main, plan)] : []),
  ]
  const summed = PROVIDER_SUMS.map((column) => `sum(${column}) AS ${column}`).join(', ')
  return {
    sql: `SELECT span, ${KEYS}, 0 AS machine, requests, CAST(cost_nano AS TEXT) AS cost_text, unpriced FROM (
        SELECT span, ${KEYS}, ${summed} FROM (${parts.map(({ sql }) => sql).join(' UNION ALL ')}) AS parts
        GROUP BY span, ${KEYS}) AS sums
      WHERE requests <> 0 OR cost_nano <> 0 OR unpriced <> 0`,
    parameters: parts.flatMap(({ parameters }) => parameters),
  }
}

/** See `UsageStorage.providerSums`; `filter` as reports have it. Rejects as the database does. */
export const providerSums = async (
  database: SqlDatabase,
  query: ProviderSumsQuery,
  filter: Condition,
): Promise<readonly ProviderSum[]> => {
  assertBoundaries(query.boundaries)
  const machines = query.machines === false ? [] : await machineRows(database)
  const told = query.workspaces === undefined ? undefined : await foldersOf(database, query.workspaces)
  const [hasMachines, isSqlite] = [machines.length > 0, database.dialect === 'sqlite']
  const { sql, parameters } =
    (hasMachines ? undefined : sumsOfDays(query, filter, told, isSqlite)) ??
    sumsOfFacts(query, filter, told, { hasMachines, isSqlite })
  const rows = await database.all<SumRow>(sql, parameters)
  if (rows.some(({ span }) => span === CROSS_CHECK)) throw unequalSums(database.location)
  await assertNamesIntact(database)
  const idsOf = (pick: (row: SumRow) => number): readonly number[] => [...new Set(rows.map(pick))]
  const labels = await groupNames(database, 'model', [
    ...new Set(rows.flatMap((row) => [row.provider_id, row.agent_id, row.model_id])),
  ])
  const folders = await groupNames(
    database,
    'workspace',
    idsOf((row) => row.workspace_id),
  )
  const [people, names] = [namesOfMachines('person', machines), namesOfMachines('machine', machines)]
  return rows.map((row) => ({
    span: row.span === NO_TIME ? null : row.span,
    provider: labels.get(row.provider_id) ?? null,
    agent: labels.get(row.agent_id) ?? 'unknown',
    model: labels.get(row.model_id) ?? 'unknown',
    workspace: folders.get(row.workspace_id) ?? null,
    person: people.get(row.machine) ?? null,
    machine: names.get(row.machine) ?? null,
    requests: row.requests,
    costNano: BigInt(row.cost_text),
    unpricedRequests: row.unpriced,
  }))
}

/** Ids of the folders with these paths; those that the store does not know are left out. */
const foldersOf = async (database: SqlDatabase, paths: readonly string[]): Promise<readonly number[]> => {
  if (paths.length === 0) return []
  const parameters: readonly SqlValue[] = paths.map((path) => storableText(path))
  const rows = await database.all<{ id: number }>(
    `SELECT id FROM workspace WHERE "path" IN (${paths.map(() => '?').join(', ')})`,
    parameters,
  )
  return rows.map(({ id }) => id)
}
