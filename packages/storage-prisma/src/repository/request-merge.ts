/**
 * Requests as facts: sources repeat a request, so reports of the same call are merged, and the rollups
 * get the difference.
 */
import { hash } from 'node:crypto'
import { bucketOf, isPartial, mergeReports, missingOutputCostNano, missingOutputTokens } from '@cairn/core'
import type { CostState, RequestFact, RequestReport } from '@cairn/core'
import type { DialectName, SqlTransaction, SqlValue } from '../sql/database.ts'
import { tables } from '../sql/schema.ts'
import type { Labels } from './labels.ts'
import { addToRollups } from './rollups.ts'
import type { RollupRow } from './rollups.ts'

/** A report of a request by an entry; `sessionId` is the public id, `row` the session's. */
export interface StoredReport extends RequestReport {
  readonly row: number
  readonly agent: string
}

export interface UsageFactRow {
  readonly id: number
  readonly call_hash: Uint8Array
  readonly session_id: number
  readonly at: number | null
  readonly workspace_id: number
  readonly model_id: number
  readonly provider_id: number
  readonly mode_id: number
  readonly agent_id: number
  readonly branch_id: number
  readonly subagent_id: number
  readonly input_tokens: number
  readonly cache_read: number
  readonly cache_write_5m: number
  readonly cache_write_1h: number
  readonly output_tokens: number
  readonly reasoning_tokens: number
  readonly cost_nano: number | bigint | null
  readonly cost_state: number
  readonly cost_cache_read: number | bigint
  readonly cost_cache_write: number | bigint
  readonly cost_output: number | bigint
  readonly saved_nano: number | bigint
  readonly visible_chars: number
  readonly output_rate: number | bigint
}

export const costStates: readonly CostState[] = ['recorded', 'computed', 'unpriced']
export const factColumns = Object.keys(tables.usage.columns) as readonly (keyof UsageFactRow)[]

/** What a fact adds to the rollups. */
export const rollupRowOf = (fact: UsageFactRow): RollupRow => {
  const cost = BigInt(fact.cost_nano ?? 0)
  return {
    bucket: bucketOf(fact.at),
    dimensions: [fact.session_id, fact.workspace_id, fact.model_id, fact.mode_id, fact.agent_id, fact.branch_id],
    counts: [
      1,
      fact.input_tokens,
      fact.cache_read,
      fact.cache_write_5m,
      fact.cache_write_1h,
      fact.output_tokens,
      fact.reasoning_tokens,
      cost,
      fact.cost_state === 0 ? cost : 0n,
      BigInt(fact.cost_cache_read),
      BigInt(fact.cost_cache_write),
      BigInt(fact.cost_output),
      BigInt(fact.saved_nano),
      fact.cost_state === 2 ? 1 : 0,
      isPartial(fact.output_tokens, fact.visible_chars) ? 1 : 0,
      missingOutputTokens(fact.output_tokens, fact.visible_chars),
      missingOutputCostNano(
        {
          outputTokens: fact.output_tokens,
          costState: costStates[fact.cost_state] ?? 'unpriced',
          outputRate: BigInt(fact.output_rate),
        },
        fact.visible_chars,
      ),
    ],
  }
}

const callHash = (agent: string, callId: string): Uint8Array =>
  hash('sha256', `${agent}\0${callId}`, 'buffer').subarray(0, 16)
const keyOf = (digest: Uint8Array): string =>
  Buffer.from(digest.buffer, digest.byteOffset, digest.byteLength).toString('latin1')

/** Merges the reports into the facts and the rollups. Returns how many requests were not known before. */
export const mergeRequests = async (
  transaction: SqlTransaction,
  dialect: DialectName,
  labels: Labels,
  reports: readonly StoredReport[],
): Promise<number> => {
  if (reports.length === 0) return 0
  const news = new Map<string, { readonly digest: Uint8Array; readonly agent: string; report: RequestReport }>()
  const rows = new Map<string, number>()
  for (const report of reports) {
    rows.set(report.sessionId, report.row)
    const digest = callHash(report.agent, report.fact.callId)
    const known = news.get(keyOf(digest))
    if (known === undefined) news.set(keyOf(digest), { digest, agent: report.agent, report })
    else known.report = mergeReports(known.report, report)
  }
  const digests = [...news.values()].map(({ digest }) => digest)
  const stored = await transaction.lookup<UsageFactRow>(
    tables.usage,
    { columns: factColumns, key: 'call_hash' },
    digests,
  )
  const storedReports = await reportsOf(transaction, stored, rows)

  const added: RollupRow[] = []
  const removed: RollupRow[] = []
  for (const [index, old] of stored.entries()) {
    const key = keyOf(old.call_hash)
    const next = news.get(key)
    const before = storedReports[index]
    if (next === undefined || before === undefined) continue
    news.delete(key)
    const row = await factRow(labels, rows, next.agent, next.digest, mergeReports(before, next.report), old.id)
    const changed = factColumns.filter(
      (column) => column !== 'call_hash' && String(row[column]) !== String(old[column]),
    )
    if (changed.length === 0) continue
    await transaction.run(
      `UPDATE usage_fact SET ${changed.map((column) => `"${column}" = ?`).join(', ')} WHERE id = ?`,
      [...changed.map((column): SqlValue => row[column]), old.id],
    )
    removed.push(rollupRowOf(old))
    added.push(rollupRowOf(row))
  }

  const ids = await transaction.reserveIds(tables.usage, news.size)
  const inserted: UsageFactRow[] = []
  for (const { digest, agent, report } of news.values())
    inserted.push(await factRow(labels, rows, agent, digest, report, ids[inserted.length] ?? 0))
  await transaction.insert(
    tables.usage,
    factColumns,
    inserted.map((row) => factColumns.map((column): SqlValue => row[column])),
  )
  await addToRollups(transaction, dialect, [...added, ...inserted.map(rollupRowOf)], removed)
  return inserted.length
}

/** Stored facts as reports again, to be merged by the same rule. Adds their sessions to `rows`. */
const reportsOf = async (
  transaction: SqlTransaction,
  facts: readonly UsageFactRow[],
  rows: Map<string, number>,
): Promise<readonly RequestReport[]> => {
  if (facts.length === 0) return []
  const names = async (
    table: typeof tables.label | typeof tables.workspace | typeof tables.session,
    column: string,
    ids: readonly number[],
  ) => {
    const found = await transaction.lookup<{ id: number; name: string }>(
      table,
      { columns: ['id', column], key: 'id' },
      [...new Set(ids)],
    )
    return new Map(found.map((row) => [row.id, (row as unknown as Readonly<Record<string, string>>)[column] ?? '']))
  }
  const texts = await names(
    tables.label,
    'value',
    facts.flatMap((fact) => [fact.model_id, fact.provider_id, fact.mode_id, fact.branch_id, fact.subagent_id]),
  )
  const workspaces = await names(
    tables.workspace,
    'path',
    facts.map((fact) => fact.workspace_id),
  )
  const sessions = await names(
    tables.session,
    'key',
    facts.map((fact) => fact.session_id),
  )
  return facts.map((fact) => {
    const sessionId = sessions.get(fact.session_id) ?? ''
    rows.set(sessionId, fact.session_id)
    return { sessionId, fact: requestOf(fact, texts, workspaces), visibleCharacters: fact.visible_chars }
  })
}

const requestOf = (
  fact: UsageFactRow,
  texts: ReadonlyMap<number, string>,
  workspaces: ReadonlyMap<number, string>,
): RequestFact => {
  const [provider, mode, subagent] = [texts.get(fact.provider_id), texts.get(fact.mode_id), texts.get(fact.subagent_id)]
  const [workspace, branch] = [workspaces.get(fact.workspace_id), texts.get(fact.branch_id)]
  return {
    callId: '',
    at: fact.at,
    model: texts.get(fact.model_id) ?? '',
    inputTokens: fact.input_tokens,
    cacheReadTokens: fact.cache_read,
    cacheWrite5mTokens: fact.cache_write_5m,
    cacheWrite1hTokens: fact.cache_write_1h,
    outputTokens: fact.output_tokens,
    reasoningTokens: fact.reasoning_tokens,
    costNano: fact.cost_nano === null ? null : BigInt(fact.cost_nano),
    costState: costStates[fact.cost_state] ?? 'unpriced',
    costSplit: {
      cacheReadNano: BigInt(fact.cost_cache_read),
      cacheWriteNano: BigInt(fact.cost_cache_write),
      outputNano: BigInt(fact.cost_output),
      savedNano: BigInt(fact.saved_nano),
    },
    outputRate: BigInt(fact.output_rate),
    ...(provider === undefined ? {} : { provider }),
    ...(mode === undefined ? {} : { mode }),
    ...(subagent === undefined ? {} : { subagent }),
    ...(workspace === undefined ? {} : { workspace }),
    ...(branch === undefined ? {} : { branch }),
  }
}

const factRow = async (
  labels: Labels,
  rows: ReadonlyMap<string, number>,
  agent: string,
  digest: Uint8Array,
  report: RequestReport,
  id: number,
): Promise<UsageFactRow> => {
  const { fact } = report
  return {
    id,
    call_hash: digest,
    session_id: rows.get(report.sessionId) ?? 0,
    at: fact.at,
    workspace_id: await labels.workspace(fact.workspace),
    model_id: await labels.label('model', fact.model),
    provider_id: await labels.label('provider', fact.provider),
    mode_id: await labels.label('mode', fact.mode),
    agent_id: await labels.label('agent', agent),
    branch_id: await labels.label('branch', fact.branch),
    subagent_id: await labels.label('subagent', fact.subagent),
    input_tokens: fact.inputTokens,
    cache_read: fact.cacheReadTokens,
    cache_write_5m: fact.cacheWrite5mTokens,
    cache_write_1h: fact.cacheWrite1hTokens,
    output_tokens: fact.outputTokens,
    reasoning_tokens: fact.reasoningTokens ?? 0,
    cost_nano: fact.costState === 'unpriced' ? null : fact.costNano,
    cost_state: costStates.indexOf(fact.costState),
    cost_cache_read: fact.costSplit?.cacheReadNano ?? 0n,
    cost_cache_write: fact.costSplit?.cacheWriteNano ?? 0n,
    cost_output: fact.costSplit?.outputNano ?? 0n,
    saved_nano: fact.costSplit?.savedNano ?? 0n,
    visible_chars: report.visibleCharacters,
    output_rate: fact.costState === 'unpriced' ? 0n : (fact.outputRate ?? 0n),
  }
}
