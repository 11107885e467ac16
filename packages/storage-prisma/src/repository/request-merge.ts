/**
 * Requests as facts: transcripts repeat a request, so reports of the same call are merged, and the rollups get the
 * difference.
 */
import { hash } from 'node:crypto'
import { bucketOf, isPartial, mergeReports, missingOutputCostNano, missingOutputTokens } from '@cairn/core'
import type { CostState, RequestFact, RequestReport } from '@cairn/core'
import type { DialectName, SqlReader, SqlTransaction, SqlValue } from '../sql/database.ts'
import { required } from '../sql/required.ts'
import { isIntact, rowChecksum } from '../sql/row-checksum.ts'
import { tables } from '../sql/schema.ts'
import { insertRows, updateRow } from '../sql/statements.ts'
import { pickTokenColumns, tokenRow, tokensOfRow } from '../sql/token-columns.ts'
import type { TokenRow } from '../sql/token-columns.ts'
import type { Labels } from './labels.ts'
import { addToRollups } from './rollups.ts'
import type { RollupRow } from './rollups.ts'

/** A report of a request by an entry; `sessionId` is the session's public id, `row` the id of its row. */
export interface StoredReport extends RequestReport {
  readonly row: number
  readonly agent: string
  /** Says which call it is, where its id is not known: 16 bytes. */
  readonly digest?: Uint8Array
}

/**
 * A request as its row: times in ms, costs in nano-USD (null: unpriced), ids of names, 0 for an unknown one. `checksum`
 * is null in rows of older versions.
 */
export interface UsageFactRow extends TokenRow {
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
  readonly cost_nano: number | bigint | null
  /** An index in {@link costStates}. */
  readonly cost_state: number
  readonly cost_cache_read: number | bigint
  readonly cost_cache_write: number | bigint
  readonly cost_output: number | bigint
  readonly saved_nano: number | bigint
  readonly visible_chars: number
  /** Price of an output token, femto-USD; 0: not known. */
  readonly output_rate: number | bigint
  readonly attempt: number | null
  readonly first_token_ms: number | null
  readonly total_ms: number | null
  readonly checksum: number | null
}

/** The cost states; a stored state is an index in this list. */
export const costStates: readonly CostState[] = ['recorded', 'computed', 'unpriced']
/** The columns of a request's usage fact. */
export const factColumns = Object.keys(tables.usage.columns) as readonly (keyof UsageFactRow)[]

/** The cost state of a row; throws for a number that stands for none. */
const costStateOf = (fact: UsageFactRow): CostState =>
  required(costStates[fact.cost_state], 'the cost state of a request')

/**
 * What a fact adds to the rollups: its bucket, dimensions and sums. Unpriced requests add no cost. `FACTS` in
 * usage-source.ts is the same in SQL.
 */
export const toRollupRow = (fact: UsageFactRow): RollupRow => {
  const costState = costStateOf(fact)
  // Unpriced requests add no cost.
  const cost = BigInt(fact.cost_nano ?? 0)
  const { output_tokens: outputTokens, visible_chars: visibleCharacters } = fact
  return {
    factId: fact.id,
    bucket: bucketOf(fact.at),
    dimensions: {
      session_id: fact.session_id,
      workspace_id: fact.workspace_id,
      model_id: fact.model_id,
      mode_id: fact.mode_id,
      agent_id: fact.agent_id,
      branch_id: fact.branch_id,
    },
    sums: {
      requests: 1,
      ...pickTokenColumns(fact),
      cost_nano: cost,
      recorded_nano: costState === 'recorded' ? cost : 0n,
      cost_cache_read_nano: BigInt(fact.cost_cache_read),
      cost_cache_write_nano: BigInt(fact.cost_cache_write),
      cost_output_nano: BigInt(fact.cost_output),
      saved_nano: BigInt(fact.saved_nano),
      unpriced: costState === 'unpriced' ? 1 : 0,
      partial: isPartial(outputTokens, visibleCharacters) ? 1 : 0,
      missing_output: missingOutputTokens(outputTokens, visibleCharacters),
      missing_output_nano: missingOutputCostNano(
        { outputTokens, costState, outputRate: BigInt(fact.output_rate) },
        visibleCharacters,
      ),
      timed: fact.total_ms === null ? 0 : 1,
      first_token_ms: fact.first_token_ms ?? 0,
      total_ms: fact.total_ms ?? 0,
    },
  }
}

/** The attempt and the latency (ms) that a row holds; each is absent where it was not recorded. */
export const timingOf = ({
  attempt,
  first_token_ms,
  total_ms,
}: UsageFactRow): Pick<RequestFact, 'attempt' | 'latency'> => ({
  ...(attempt === null ? {} : { attempt }),
  ...(first_token_ms === null || total_ms === null
    ? {}
    : { latency: { firstTokenMs: first_token_ms, totalMs: total_ms } }),
})

/** The hash that a call is found by: 16 bytes. */
const callHash = (agent: string, callId: string): Uint8Array =>
  hash('sha256', `${agent}\0${callId}`, 'buffer').subarray(0, 16)
/** What a call is found by: the digest that was given, else the hash of its agent and id. */
const digestOf = ({ digest, agent, fact }: NamedCall): Uint8Array => digest ?? callHash(agent, fact.callId)
/** A digest as a text, for the key of a map. */
const keyOf = (digest: Uint8Array): string =>
  Buffer.from(digest.buffer, digest.byteOffset, digest.byteLength).toString('latin1')

/** Two reports of one request as one; commutative and associative. */
type MergeReports = (left: RequestReport, right: RequestReport) => RequestReport

/** All reports of one call, merged. */
interface MergedCall {
  readonly digest: Uint8Array
  readonly agent: string
  report: RequestReport
}

/**
 * Merges reports of requests into the stored facts and the rollups, as {@link mergeReports} does, or `merge`; the same
 * report again changes nothing. Resolves when all is written, to the number of new requests; 0 without reports.
 */
export const mergeRequests = async (
  transaction: SqlTransaction,
  dialect: DialectName,
  labels: Labels,
  reports: readonly StoredReport[],
  merge: MergeReports = mergeReports,
): Promise<number> => {
  if (reports.length === 0) return 0
  const { added, done } = await beginMerging(transaction, dialect, labels, reports, merge)
  await done
  return added
}

/** What is asked before requests are merged. */
export interface RequestAnswers {
  /** Those that are stored already, and perhaps others. */
  readonly stored: Promise<readonly UsageFactRow[]>
  /** For each different call an id, should it not be stored; the others stay unused. */
  readonly ids: Promise<readonly number[]>
}

/** Names a request, as {@link StoredReport} does. */
type NamedCall = Pick<StoredReport, 'agent' | 'digest'> & { readonly fact: Pick<RequestFact, 'callId'> }

/**
 * Asks what {@link beginMerging} has to know: which of the calls are stored, and new ids, which it takes from the
 * table's sequence, needed or not. Sends both queries at once, nothing for no calls, and writes no row. Answers reject
 * as the transaction does; one that nobody awaits never rejects unhandled.
 */
export const askAboutRequests = (transaction: SqlTransaction, calls: readonly NamedCall[]): RequestAnswers => {
  const digests = new Map(calls.map(digestOf).map((digest) => [keyOf(digest), digest]))
  const lookup = { columns: factColumns, key: 'call_hash' }
  const answers = {
    stored: transaction.lookup<UsageFactRow>(tables.usage, lookup, [...digests.values()]),
    ids: transaction.reserveIds(tables.usage, digests.size),
  }
  // Where nothing is written after all, nobody awaits them.
  for (const answer of Object.values(answers)) answer.catch(() => undefined)
  return answers
}

/**
 * Merges reports as {@link mergeRequests} does. Resolves with the number of new requests when all statements are
 * issued, and `done` when they are carried out; `done` rejects as they do, never unhandled. Labels that are new are
 * inserted. `answers`: what was asked before, about at least these calls.
 */
export const beginMerging = async (
  transaction: SqlTransaction,
  dialect: DialectName,
  labels: Labels,
  reports: readonly StoredReport[],
  merge: MergeReports = mergeReports,
  answers = askAboutRequests(transaction, reports),
): Promise<{ readonly added: number; readonly done: Promise<unknown> }> => {
  const calls = mergeCalls(reports, merge)
  const sessionIds = new Map(reports.map(({ sessionId, row }) => [sessionId, row]))
  const stored = (await answers.stored).filter((row) => calls.has(keyOf(row.call_hash)))
  const { added, removed, updates } = await updateFacts(transaction, labels, sessionIds, calls, merge, stored)
  const inserted = await rowsOf(labels, sessionIds, [...calls.values()], await answers.ids)
  const done = Promise.all([
    ...updates.map(({ id, values }) => updateRow(transaction, tables.usage, id, values)),
    insertRows<keyof UsageFactRow>(
      transaction,
      tables.usage,
      factColumns,
      inserted.map((row) => ({ ...row })),
    ),
    addToRollups(transaction, dialect, [...added, ...inserted].map(toRollupRow), removed.map(toRollupRow)),
  ])
  // Whoever awaits it hears of it; nobody does where something else has failed before.
  done.catch(() => undefined)
  return { added: inserted.length, done }
}

/** Reports of the same call as one, by the call. They are merged in their order. */
const mergeCalls = (reports: readonly StoredReport[], merge: MergeReports): Map<string, MergedCall> => {
  const calls = new Map<string, MergedCall>()
  for (const report of reports) {
    const digest = digestOf(report)
    const known = calls.get(keyOf(digest))
    if (known === undefined) calls.set(keyOf(digest), { digest, agent: report.agent, report })
    else known.report = merge(known.report, report)
  }
  return calls
}

/**
 * Merges calls into the facts that are stored already, and takes these calls out of `calls`.
 * @param sessionIds row ids by public id; the sessions of the stored facts are added
 * @returns the facts that changed, as they are and as they were, and what is to be written of them
 */
const updateFacts = async (
  transaction: SqlTransaction,
  labels: Labels,
  sessionIds: Map<string, number>,
  calls: Map<string, MergedCall>,
  merge: MergeReports,
  stored: readonly UsageFactRow[],
): Promise<{
  readonly added: readonly UsageFactRow[]
  readonly removed: readonly UsageFactRow[]
  readonly updates: readonly { readonly id: number; readonly values: Readonly<Record<string, SqlValue>> }[]
}> => {
  const storedReports = await reportsOf(transaction, stored)
  for (const [index, { session_id: id }] of stored.entries())
    sessionIds.set(required(storedReports[index], 'a stored request').sessionId, id)
  const added: UsageFactRow[] = []
  const removed: UsageFactRow[] = []
  const updates: { id: number; values: Record<string, SqlValue> }[] = []
  for (const [index, old] of stored.entries()) {
    const key = keyOf(old.call_hash)
    const call = required(calls.get(key), 'the report of a stored request')
    calls.delete(key)
    const report = merge(required(storedReports[index], 'a stored request'), call.report)
    const row = await factRow(labels, sessionIds, { ...call, report }, old.id)
    const changed = factColumns.filter(
      (column) => column !== 'call_hash' && column !== 'checksum' && String(row[column]) !== String(old[column]),
    )
    if (changed.length === 0) continue
    // A damaged row remains detectable.
    const checksum = isIntact(tables.usage, old) ? row.checksum : old.checksum
    const values = Object.fromEntries(changed.map((column): [string, SqlValue] => [column, row[column]]))
    updates.push({ id: old.id, values: { ...values, checksum } })
    removed.push(old)
    added.push(row)
  }
  return { added, removed, updates }
}

/** The rows of new requests, in order, with these ids. `sessionIds`: the row of each session, by its public id. */
const rowsOf = async (
  labels: Labels,
  sessionIds: ReadonlyMap<string, number>,
  calls: readonly MergedCall[],
  ids: readonly number[],
): Promise<readonly UsageFactRow[]> => {
  const rows: UsageFactRow[] = []
  for (const [index, call] of calls.entries())
    rows.push(await factRow(labels, sessionIds, call, required(ids[index], 'the id of a request')))
  return rows
}

/**
 * Stored facts as reports again, one for each in the same order, to be merged by the same rule. Their `callId` is ''.
 * A provider, mode, subagent, workspace or branch that is not known is left out; a model that was never named is ''.
 * Rejects as the database does, and if the name of a session or model is not in it.
 */
export const reportsOf = async (
  reader: SqlReader,
  facts: readonly UsageFactRow[],
): Promise<readonly RequestReport[]> => {
  if (facts.length === 0) return []
  const names = async (
    table: typeof tables.label | typeof tables.workspace | typeof tables.session,
    column: 'value' | 'path' | 'key',
    idsOf: (fact: UsageFactRow) => readonly number[],
  ): Promise<ReadonlyMap<number, string>> => {
    const rows = await reader.lookup<{ id: number } & Readonly<Partial<Record<typeof column, string>>>>(
      table,
      { columns: ['id', column], key: 'id' },
      [...new Set(facts.flatMap(idsOf))],
    )
    return new Map(rows.map((row) => [row.id, required(row[column], 'a name')]))
  }
  const [texts, workspaces, sessions] = await Promise.all([
    names(tables.label, 'value', (fact) => [
      fact.model_id,
      fact.provider_id,
      fact.mode_id,
      fact.branch_id,
      fact.subagent_id,
    ]),
    names(tables.workspace, 'path', (fact) => [fact.workspace_id]),
    names(tables.session, 'key', (fact) => [fact.session_id]),
  ])
  return facts.map((fact) => {
    const sessionId = required(sessions.get(fact.session_id), 'the session of a request')
    return { sessionId, fact: requestOf(fact, texts, workspaces), visibleCharacters: fact.visible_chars }
  })
}

/**
 * The request of a row; its `callId` is ''. Names that are not in the maps are left out; the model is '' for the id 0,
 * and throws if it has no name. `texts`, `workspaces`: the names, by their ids.
 */
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
    // 0: the report named no model.
    model: fact.model_id === 0 ? '' : required(texts.get(fact.model_id), 'the model of a request'),
    ...tokensOfRow(fact),
    costNano: fact.cost_nano === null ? null : BigInt(fact.cost_nano),
    costState: costStateOf(fact),
    costSplit: {
      cacheReadNano: BigInt(fact.cost_cache_read),
      cacheWriteNano: BigInt(fact.cost_cache_write),
      outputNano: BigInt(fact.cost_output),
      savedNano: BigInt(fact.saved_nano),
    },
    outputRate: BigInt(fact.output_rate),
    ...timingOf(fact),
    ...(provider === undefined ? {} : { provider }),
    ...(mode === undefined ? {} : { mode }),
    ...(subagent === undefined ? {} : { subagent }),
    ...(workspace === undefined ? {} : { workspace }),
    ...(branch === undefined ? {} : { branch }),
  }
}

/** Attempt and times of a request (ms); null where not measured. */
const timingColumns = ({
  attempt,
  latency,
}: RequestFact): Pick<UsageFactRow, 'attempt' | 'first_token_ms' | 'total_ms'> => ({
  attempt: attempt ?? null,
  first_token_ms: latency?.firstTokenMs ?? null,
  total_ms: latency?.totalMs ?? null,
})

/**
 * The row of a request, with its checksum; it is not written, but names that are new are inserted. An unpriced request
 * has no cost, whatever the fact says. `sessionIds`: the row of each session, by its public id.
 */
const factRow = async (
  labels: Labels,
  sessionIds: ReadonlyMap<string, number>,
  { agent, digest, report }: MergedCall,
  id: number,
): Promise<UsageFactRow> => {
  const { fact } = report
  const row = {
    id,
    call_hash: digest,
    session_id: required(sessionIds.get(report.sessionId), 'the session of a request'),
    at: fact.at,
    workspace_id: await labels.workspace(fact.workspace),
    model_id: await labels.label('model', fact.model),
    provider_id: await labels.label('provider', fact.provider),
    mode_id: await labels.label('mode', fact.mode),
    agent_id: await labels.label('agent', agent),
    branch_id: await labels.label('branch', fact.branch),
    subagent_id: await labels.label('subagent', fact.subagent),
    ...tokenRow(fact),
    cost_nano: fact.costState === 'unpriced' ? null : fact.costNano,
    cost_state: costStates.indexOf(fact.costState),
    cost_cache_read: fact.costSplit?.cacheReadNano ?? 0n,
    cost_cache_write: fact.costSplit?.cacheWriteNano ?? 0n,
    cost_output: fact.costSplit?.outputNano ?? 0n,
    saved_nano: fact.costSplit?.savedNano ?? 0n,
    visible_chars: report.visibleCharacters,
    output_rate: fact.costState === 'unpriced' ? 0n : (fact.outputRate ?? 0n),
    ...timingColumns(fact),
  }
  return { ...row, checksum: rowChecksum(tables.usage, row) }
}
