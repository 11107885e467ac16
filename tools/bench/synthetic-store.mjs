// A store with the usage of a large team, for the dashboard's queries: requests, and only the number of messages.
// Facts are written straight into their table, the program makes everything derived from them itself, and a sample of
// its answers is compared with the facts. Run as a script by `dashboard.mjs`:
// node --conditions=@cairn/source synthetic-store.mjs <file> <requests>
import { renameSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { isPartial, missingOutputTokens } from '@cairn/core'
import { openStore } from '@cairn/storage-prisma'
import { removeStore } from './import-speed.mjs'
import { randomNumbers } from './numbers.mjs'
import {
  AGENTS,
  BRANCHES,
  END,
  MODELS,
  REQUESTS_PER_SESSION,
  START,
  WORKSPACES,
  sessionsOfTeam,
} from './synthetic-team.mjs'

const ROWS_PER_STATEMENT = 32
const SESSIONS_PER_TRANSACTION = 2_000
const SAMPLED_SESSIONS = 200
const SAMPLED_DAYS = 20
const DAY_MS = 86_400_000

/** Ids of labels, by kind, as the store numbers them. */
const LABEL_KINDS = { agent: 1, model: 2, provider: 3, mode: 4, branch: 5 }

const FACT_COLUMNS =
  'call_hash, session_id, "at", workspace_id, model_id, provider_id, mode_id, agent_id, branch_id, subagent_id, input_tokens, cache_read, cache_write_5m, cache_write_1h, output_tokens, reasoning_tokens, cost_nano, cost_state, visible_chars'.split(
    ', ',
  )

const [path = '', requestsText = ''] = process.argv.slice(2)
await generate(path, Number(requestsText))

/** Makes the store beside its place, checks it, and moves it there. */
async function generate(file, requests) {
  const fresh = `${file}.tmp`
  removeStore(fresh)
  // The program makes its own tables, so they are the real ones.
  await (await openStore(`file:${fresh}`)).close()
  const database = new DatabaseSync(fresh)
  // After a crash the store is simply made again.
  for (const pragma of ['journal_mode = OFF', 'synchronous = OFF', 'cache_size = -500000', 'temp_store = FILE'])
    database.exec(`PRAGMA ${pragma}`)
  const labels = writeLabels(database)
  const indexes = dropIndexes(database)
  writeFacts(database, requests, labels)
  progress('indexes…')
  for (const sql of indexes) database.exec(sql)
  database.close()
  const store = await openStore(`file:${fresh}`)
  try {
    progress('rollups…')
    await store.rebuild()
    progress('comparing a sample…')
    await verify(store, fresh, requests)
  } finally {
    await store.close()
  }
  renameSync(fresh, file)
}

function progress(text) {
  process.stderr.write(`  ${text}\n`)
}

/** Writes the names that requests have, and returns their ids. */
function writeLabels(database) {
  const insert = database.prepare('INSERT INTO label (kind, value) VALUES (?, ?)')
  const made = (kind, values) => values.map((value) => Number(insert.run(LABEL_KINDS[kind], value).lastInsertRowid))
  const workspace = database.prepare('INSERT INTO workspace ("path", name) VALUES (?, ?)')
  return {
    agents: made('agent', AGENTS),
    models: made('model', MODELS),
    providers: made('provider', ['anthropic']),
    modes: made('mode', ['plan', 'act']),
    branches: made('branch', BRANCHES),
    workspaces: WORKSPACES.map((name) => Number(workspace.run(`/work/${name}`, name).lastInsertRowid)),
  }
}

/** Inserts are faster without them; they are created again at the end. */
function dropIndexes(database) {
  const rows = database
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL AND tbl_name = 'usage_fact'")
    .all()
  for (const { name } of rows) database.exec(`DROP INDEX "${name}"`)
  return rows.map(({ sql }) => sql)
}

/** Writes sessions and requests, and returns the sums. */
function writeFacts(database, requests, labels) {
  const session = database.prepare(
    'INSERT INTO session (id, "key", agent_id, external_id, workspace_id, branch_id, title, started_at, updated_at, message_count) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  )
  const insertOf = (rows) =>
    database.prepare(
      `INSERT INTO usage_fact (${FACT_COLUMNS.join(', ')}) VALUES ${Array.from({ length: rows }, () => `(${FACT_COLUMNS.map(() => '?').join(', ')})`).join(', ')}`,
    )
  const insertMany = insertOf(ROWS_PER_STATEMENT)
  let values = []
  let written = 0
  const flush = () => {
    if (values.length === 0) return
    const rows = values.length / FACT_COLUMNS.length
    ;(rows === ROWS_PER_STATEMENT ? insertMany : insertOf(rows)).run(...values)
    written += rows
    values = []
  }
  database.exec('BEGIN')
  let id = 0
  for (const made of sessionsOfTeam(requests, randomNumbers(20_241_101))) {
    id += 1
    const name = `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`
    const workspace = labels.workspaces[made.workspace]
    const branch = labels.branches[made.branch]
    const agent = labels.agents[made.agent]
    session.run(
      id,
      `${AGENTS[made.agent]}:${name}`,
      agent,
      name,
      workspace,
      branch,
      `Session ${id}`,
      made.requests[0].at,
      made.requests.at(-1).at,
      messagesOf(made.requests.length, id),
    )
    for (const request of made.requests) {
      // Ascending, where real ones are random: no query of the dashboard looks at them.
      const callHash = Buffer.alloc(16)
      callHash.writeUInt32BE(written + values.length / FACT_COLUMNS.length, 0)
      values.push(
        callHash,
        id,
        request.at,
        workspace,
        labels.models[request.model],
        labels.providers[0],
        labels.modes[request.mode],
        agent,
        branch,
        0,
      )
      values.push(
        request.input,
        request.cacheRead,
        request.cacheWrite5m,
        request.cacheWrite1h,
        request.output,
        request.reasoning,
        request.costNano,
        request.costNano === null ? 2 : 1,
        request.visible,
      )
      if (values.length === ROWS_PER_STATEMENT * FACT_COLUMNS.length) flush()
    }
    if (id % SESSIONS_PER_TRANSACTION === 0) {
      database.exec('COMMIT; BEGIN')
      if (id % 20_000 === 0) progress(`${((written / requests) * 100).toFixed(0)} % of the requests`)
    }
  }
  flush()
  database.exec('COMMIT')
}

/** A question or a result before each reply, and now and then some more: many sessions have as many as others. */
function messagesOf(requests, id) {
  return 2 * requests + (id % 5)
}

/**
 * Throws unless what the store says of some sessions, some days and of everything is the sum over the facts by the
 * engine's rules.
 */
async function verify(store, file, requests) {
  const database = new DatabaseSync(file, { readOnly: true })
  const random = randomNumbers(7)
  const { sessions } = database.prepare('SELECT max(id) AS sessions FROM session').get()
  const ofSession = database.prepare('SELECT * FROM usage_fact WHERE session_id = ?')
  const keyOf = database.prepare('SELECT "key" FROM session WHERE id = ?')
  for (let sample = 0; sample < SAMPLED_SESSIONS; sample += 1) {
    const id = 1 + Math.floor(random() * sessions)
    const session = keyOf.get(id).key
    const expected = totalOf(ofSession.all(id))
    for (const by of ['session', 'day'])
      compare((await store.usage.report({ by, filter: { session } })).total, expected, `${session} by ${by}`)
  }
  const ofDay = database.prepare('SELECT * FROM usage_fact WHERE "at" >= ? AND "at" < ?')
  const byDay = new Map((await store.usage.report({ by: 'day', since: START })).rows.map((row) => [row.key, row]))
  for (let sample = 0; sample < SAMPLED_DAYS; sample += 1) {
    const day = START + Math.floor(random() * ((END - START) / DAY_MS)) * DAY_MS
    const key = new Date(day).toISOString().slice(0, 10)
    compare(byDay.get(key), totalOf(ofDay.all(day, day + DAY_MS)), key)
    compare(
      (await store.usage.report({ by: 'model', since: day, until: day + DAY_MS })).total,
      totalOf(ofDay.all(day, day + DAY_MS)),
      `models of ${key}`,
    )
  }
  for (const by of ['day', 'model', 'session']) {
    const { total } = await store.usage.report({ by })
    if (total.requests !== requests) throw new Error(`${total.requests} requests by ${by}, not ${requests}`)
  }
  progress(
    `${requests} requests, ${sessions} sessions, ${Math.round((END - START) / DAY_MS)} days, about ${REQUESTS_PER_SESSION} requests a session`,
  )
  database.close()
}

/** The sums of some requests. */
function totalOf(facts) {
  const sum = (value) => facts.reduce((total, fact) => total + value(fact), 0)
  return {
    requests: facts.length,
    inputTokens: sum((fact) => fact.input_tokens),
    cacheReadTokens: sum((fact) => fact.cache_read),
    cacheWrite5mTokens: sum((fact) => fact.cache_write_5m),
    cacheWrite1hTokens: sum((fact) => fact.cache_write_1h),
    outputTokens: sum((fact) => fact.output_tokens),
    reasoningTokens: sum((fact) => fact.reasoning_tokens),
    costNano: BigInt(sum((fact) => fact.cost_nano ?? 0)),
    unpricedRequests: sum((fact) => (fact.cost_state === 2 ? 1 : 0)),
    partialRequests: sum((fact) => (isPartial(fact.output_tokens, fact.visible_chars) ? 1 : 0)),
    missingOutputTokens: sum((fact) => missingOutputTokens(fact.output_tokens, fact.visible_chars)),
  }
}

/** Throws where a sum is not the expected one. */
function compare(found, expected, what) {
  for (const [name, value] of Object.entries(expected)) {
    // A day without a request has no row.
    const actual = found?.[name] ?? (typeof value === 'bigint' ? 0n : 0)
    if (actual !== value) throw new Error(`${what}: ${name} is ${actual}, not ${value}`)
  }
}
