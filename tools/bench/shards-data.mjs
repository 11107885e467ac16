// The usage of one team over two years, written to a PostgreSQL store by statements over whole sets: facts straight into
// their table, and the rollups as sums of the facts by the program's own expressions. A small store proves that these are
// the rollups that the program makes itself, and the program's checks are run on every store.
//
// Requests are spread thinner than real ones: of recorded sessions of Claude Code a row of `usage_quarter` holds 19
// requests and one of `usage_day` 60, here not 2 and not 6. So the rollups of ten million requests here have the rows that
// those of a hundred million have there.
import { openStore } from '../../packages/storage-prisma/src/open-store.ts'
import { checks } from '../../packages/storage-prisma/src/repository/maintenance.ts'
import {
  BUCKETS_PER_DAY,
  SHARDS,
  marginNumber,
  rollupTables,
  sumColumns,
} from '../../packages/storage-prisma/src/repository/rollups.ts'
import { FACTS } from '../../packages/storage-prisma/src/repository/usage-source.ts'
import { labelKind } from '../../packages/storage-prisma/src/repository/labels.ts'
import {
  AGENTS,
  BRANCHES,
  END,
  MACHINES,
  MODELS,
  MODES,
  PROVIDERS,
  REQUESTS_PER_SESSION,
  START,
  WORKSPACES,
} from './shards-team.mjs'

const DAY_MS = 86_400_000
/** Of the store that proves the rollups. */
const PROOF_REQUESTS = 5_000

const DIMENSIONS = ['session_id', 'workspace_id', 'model_id', 'mode_id', 'agent_id', 'branch_id']
const SUMS = sumColumns.map((column) => `sum(${column})`).join(', ')
const BUCKET = 'CASE WHEN "at" IS NULL THEN -1 ELSE "at" / 900000 END'
const DAY = `CASE WHEN bucket < 0 THEN -1 ELSE bucket / ${BUCKETS_PER_DAY} END`
/** Sums of days that are over are in one shard (see repository/folded-sums). */
const SHARD = (day) => `CASE WHEN ${day} < ${END / DAY_MS - 2} THEN 0 ELSE session_id % ${SHARDS.postgresql} END`

/** A random one of ids that follow each other, the first ones far more often than the last. */
const skewed = (first, count) => `${first} + floor(power(random(), 2.5) * ${count})::int`

/**
 * Fills an empty store of this version, proves its rollups and lets the server look at its tables.
 * @param {import('pg').Client} client
 * @param {{ requests: number, name: string, log: (text: string) => void }} options `requests`: a multiple of 50; `name`
 *   tells the team's sessions from those of others
 */
export async function fillTeam(client, { requests, name, log }) {
  await client.query(`SET synchronous_commit = off; SET work_mem = '512MB'; SET maintenance_work_mem = '512MB';
    SET max_parallel_workers_per_gather = 0; SET max_parallel_maintenance_workers = 0; SET jit = off`)
  await client.query('SELECT setseed($1)', [name.charCodeAt(name.length - 1) / 128])
  const ids = await writeNames(client, name)
  await writeSessions(client, ids, requests / REQUESTS_PER_SESSION, name)
  log(`${name}: requests…`)
  await writeFacts(client, ids)
  log(`${name}: rollups…`)
  await writeRollups(client)
  await client.query('VACUUM (ANALYZE)')
  const rows = await client.query(
    `SELECT relname, n_live_tup::int AS rows, pg_total_relation_size(relid) / 1048576 AS mib FROM pg_stat_user_tables
     WHERE relname = ANY($1) ORDER BY relname`,
    [['session', 'usage_fact', ...rollupTables.map((table) => table.name)]],
  )
  log(`${name}: ${rows.rows.map((row) => `${row.relname} ${row.rows} (${row.mib} MiB)`).join(', ')}`)
}

/**
 * Throws where the sums of a store are not those of its requests, by the checks of `cairn doctor`.
 * @param {import('pg').Client} client
 */
export async function checkSums(client) {
  for (const { check, detail, sql } of checks) {
    if (check !== 'usage') continue
    const { rows } = await client.query(sql)
    if (Number(rows[0].count) !== 0) throw new Error(`the store has ${detail}`)
  }
}

/**
 * Throws unless the rollups of a small team are those that the program makes anew.
 * @param {string} address of an empty database
 * @param {(address: string) => Promise<import('pg').Client>} connect
 */
export async function proveRollups(address, connect) {
  const store = await openStore(address)
  const client = await connect(address)
  try {
    await fillTeam(client, { requests: PROOF_REQUESTS, name: 'proof-0', log: () => undefined })
    const written = await rollupTexts(client)
    await store.rebuild()
    const made = await rollupTexts(client)
    for (const [query, text] of Object.entries(written))
      if (text !== made[query]) throw new Error(`not what the program makes of the requests: ${query}`)
    await checkSums(client)
  } finally {
    await client.end()
    await store.close()
  }
}

/** What is in each rollup whatever its shards are, and in the sums of sessions, as a text that any difference changes. */
async function rollupTexts(client) {
  const texts = {}
  const sums = sumColumns.map((column) => `sum(${column})`).join(', ')
  for (const query of [
    'SELECT id, requests, cost_nano, unpriced, missing_output_nano FROM session',
    `SELECT bucket, ${DIMENSIONS.join(', ')}, ${sumColumns.join(', ')} FROM usage_quarter`,
    `SELECT day, ${DIMENSIONS.join(', ')}, ${sumColumns.join(', ')} FROM usage_day`,
    `SELECT dimension, day, value_id, ${sums} FROM usage_margin GROUP BY dimension, day, value_id`,
    `SELECT bucket, ${sums} FROM usage_total GROUP BY bucket`,
  ]) {
    const { rows } = await client.query(
      `SELECT count(*) AS rows, md5(string_agg(each::text, E'\\n' ORDER BY each::text)) AS hash FROM (${query}) AS each`,
    )
    texts[query] = JSON.stringify(rows[0])
  }
  return texts
}

/** Writes the names that requests have; returns the first id of each kind, the others follow it. */
async function writeNames(client, name) {
  const first = {}
  for (const [kind, values] of Object.entries({
    agent: AGENTS,
    model: MODELS,
    provider: PROVIDERS,
    mode: MODES,
    branch: BRANCHES,
  })) {
    const { rows } = await client.query(
      'INSERT INTO label (kind, value) SELECT $1, value FROM unnest($2::text[]) WITH ORDINALITY AS each (value, n) ORDER BY n RETURNING id',
      [labelKind[kind], values],
    )
    first[kind] = Math.min(...rows.map(({ id }) => id))
  }
  const workspaces = await client.query(
    `INSERT INTO workspace ("path", name) SELECT '/work/' || name, name FROM unnest($1::text[]) WITH ORDINALITY AS each (name, n) ORDER BY n RETURNING id`,
    [WORKSPACES],
  )
  const machines = await client.query(
    `INSERT INTO machine ("key", name, person, person_key, synced_at)
     SELECT $1 || '-machine-' || n, 'laptop-' || n, 'person-' || n, $1 || '-person-' || n, $2 FROM generate_series(1, ${MACHINES}) AS n RETURNING id`,
    [name, END],
  )
  return {
    ...first,
    workspace: Math.min(...workspaces.rows.map(({ id }) => id)),
    machine: Math.min(...machines.rows.map(({ id }) => id)),
  }
}

/** Sessions in order of their start: office hours of work days, some at night and at weekends; some go on for days. */
async function writeSessions(client, ids, sessions, name) {
  const days = Math.round((END - START) / DAY_MS)
  await client.query(`
    CREATE TEMP TABLE work_day AS SELECT row_number() OVER () - 1 AS n, day FROM generate_series(0, ${days - 4}) AS day,
      generate_series(1, CASE WHEN (day + ${START / DAY_MS} + 4) % 7 IN (0, 6) THEN 1 ELSE 12 END);
    CREATE TEMP TABLE made AS SELECT row_number() OVER (ORDER BY started_at) AS id, drawn.* FROM (
      SELECT ${START}::bigint + work_day.day::bigint * ${DAY_MS} + (CASE WHEN night < 0.06 THEN hour * 21 ELSE 6 + (hour + more) * 4 END * 3600000)::bigint AS started_at,
        1 + (length < 0.45)::int + (length < 0.15)::int + (length < 0.03)::int AS days, 2 + 7 * pace AS hours,
        ${skewed(ids.workspace, WORKSPACES.length)} AS workspace_id, ${skewed(ids.branch, BRANCHES.length)} AS branch_id,
        ${skewed(ids.agent, AGENTS.length)} AS agent_id, ${skewed(ids.model, MODELS.length)} AS model_id,
        ${ids.machine} + floor(random() * ${MACHINES})::int AS machine_id
      FROM (SELECT floor(random() * (SELECT count(*) FROM work_day))::int AS n, random() AS night, random() AS hour, random() AS more, random() AS length, random() AS pace
        FROM generate_series(1, ${sessions})) AS chance JOIN work_day USING (n)) AS drawn;
    ANALYZE made`)
  await client.query(
    `INSERT INTO session (id, "key", agent_id, external_id, workspace_id, branch_id, started_at, updated_at, machine_id, unsynced)
     SELECT made.id, label.value || ':' || $1 || '-' || made.id, agent_id, $1 || '-' || made.id, workspace_id, branch_id, started_at, started_at, machine_id, 0
     FROM made JOIN label ON label.id = agent_id ORDER BY made.id`,
    [name],
  )
  await client.query("SELECT setval(pg_get_serial_sequence('session', 'id'), (SELECT max(id) FROM session))")
}

/** Fifty requests a session. One agent records no input, so that its requests have no cost. */
async function writeFacts(client, ids) {
  const indexes = await client.query(
    "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 'usage_fact' AND indexname <> 'usage_fact_pkey'",
  )
  for (const { indexname } of indexes.rows) await client.query(`DROP INDEX "${indexname}"`)
  const blindAgent = ids.agent + AGENTS.length - 1
  await client.query(`
    INSERT INTO usage_fact (id, call_hash, session_id, "at", workspace_id, model_id, provider_id, mode_id, agent_id, branch_id, subagent_id,
      input_tokens, cache_read, cache_write_5m, cache_write_1h, output_tokens, reasoning_tokens, cost_nano, cost_state,
      cost_cache_read, cost_cache_write, cost_output, saved_nano, visible_chars, output_rate, attempt, first_token_ms, total_ms)
    SELECT id, decode(md5(id::text || '${ids.machine}'), 'hex'), session_id, "at", workspace_id, model_id, ${ids.provider} + model_id % 3, mode_id, agent_id, branch_id, 0,
      input, read, CASE WHEN lifetime < 0.7 THEN fresh ELSE 0 END, CASE WHEN lifetime < 0.7 THEN 0 ELSE fresh END, output, output / 3,
      CASE WHEN unpriced THEN NULL ELSE input * 5000::bigint + read * 500::bigint + fresh * 6250::bigint + output * 25000::bigint END,
      CASE WHEN unpriced THEN 2 ELSE 1 END,
      CASE WHEN unpriced THEN 0 ELSE read * 500::bigint END, CASE WHEN unpriced THEN 0 ELSE fresh * 6250::bigint END,
      CASE WHEN unpriced THEN 0 ELSE output * 25000::bigint END, CASE WHEN unpriced THEN 0 ELSE read * 4500::bigint END,
      CASE WHEN partial < 0.05 THEN output * 7 + 120 ELSE output * 2 END, CASE WHEN unpriced THEN 0 ELSE 25000000000 END, 1,
      CASE WHEN partial < 0.3 THEN 300 + (1000 * partial)::int END, CASE WHEN partial < 0.3 THEN 900 + output * 12 END
    FROM (SELECT row_number() OVER () AS id, made.id AS session_id,
        started_at + k * days / ${REQUESTS_PER_SESSION} * ${DAY_MS}::bigint + ((k * days % ${REQUESTS_PER_SESSION} + random()) / ${REQUESTS_PER_SESSION} * hours * 3600000)::bigint AS "at",
        workspace_id, CASE WHEN random() < 0.12 THEN ${ids.model + 2} ELSE model_id END AS model_id,
        ${ids.mode} + (random() < 0.7)::int AS mode_id, agent_id, branch_id + (random() < 0.1 AND branch_id < ${ids.branch + BRANCHES.length - 1})::int AS branch_id,
        seen * floor(random() * 40)::int AS input, seen * floor(15000 + k * 2500 + random() * 3000)::int AS read, seen * floor(300 + power(random(), 3) * 12000)::int AS fresh,
        floor(20 + random() * random() * 1500)::int AS output, random() AS lifetime, random() AS partial,
        agent_id = ${blindAgent} AS unpriced
      FROM (SELECT made.*, (agent_id <> ${blindAgent})::int AS seen FROM made) AS made, generate_series(0, ${REQUESTS_PER_SESSION - 1}) AS k) AS request`)
  for (const { indexdef } of indexes.rows) await client.query(indexdef)
  await client.query("SELECT setval(pg_get_serial_sequence('usage_fact', 'id'), (SELECT max(id) FROM usage_fact))")
}

/** The rollups, and the sums and ends of sessions. */
async function writeRollups(client) {
  const facts = `(SELECT ${BUCKET} AS bucket, facts.* FROM ${FACTS}) AS source`
  const into = (table, keys, from) =>
    client.query(
      `INSERT INTO ${table.name} (${[...table.keys, ...sumColumns].map((column) => `"${column}"`).join(', ')})
       SELECT ${keys}, ${SUMS} FROM ${from} GROUP BY ${table.keys.map((_, index) => index + 1).join(', ')} ORDER BY ${table.keys.map((_, index) => index + 1).join(', ')}`,
    )
  const dimensions = DIMENSIONS.join(', ')
  await into({ name: 'usage_quarter', keys: ['bucket', ...DIMENSIONS] }, `bucket, ${dimensions}`, facts)
  await into({ name: 'usage_day', keys: ['day', ...DIMENSIONS] }, `${DAY}, ${dimensions}`, 'usage_quarter')
  for (const [column, dimension] of Object.entries(marginNumber))
    await into(
      { name: 'usage_margin', keys: ['dimension', 'day', 'value_id', 'shard'] },
      `${dimension}, day, ${column}, ${SHARD('day')}`,
      'usage_day',
    )
  await into({ name: 'usage_total', keys: ['bucket', 'shard'] }, `bucket, ${SHARD(DAY)}`, 'usage_quarter')
  await client.query(
    `UPDATE session SET requests = sums.requests, cost_nano = sums.cost, unpriced = sums.unpriced, missing_output_nano = sums.missing, updated_at = sums.last
     FROM (SELECT session_id, count(*) AS requests, sum(cost_nano) AS cost, sum(unpriced) AS unpriced, sum(missing_output_nano) AS missing, max("at") AS last
       FROM ${FACTS} GROUP BY session_id) AS sums WHERE session.id = sums.session_id`,
  )
}
