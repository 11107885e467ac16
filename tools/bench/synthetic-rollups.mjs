// The rollups of a synthetic store, in bulk: what a session adds is summed as it is written, by the program's own rule for a
// request, and the coarser rollups follow from the finer ones. Ends in the rows that the program makes; `sameRollups` tells.
import {
  PROVIDER_DIMENSIONS,
  marginNumber,
  rollupTables,
  sumColumns,
} from '../../packages/storage-prisma/src/repository/rollups.ts'
import { toRollupRow } from '../../packages/storage-prisma/src/repository/request-merge.ts'

const BUCKETS_PER_DAY = 96
const DIMENSIONS = ['session_id', 'workspace_id', 'model_id', 'mode_id', 'agent_id', 'branch_id']
const PROVIDER_COLUMNS = ['day', 'workspace_id', 'branch_id', 'provider_id', 'agent_id', 'model_id']
const PROVIDER_SUMS = ['requests', 'cost_nano', 'unpriced']

/**
 * Writes rollups with a session's requests; `finish` makes the rest.
 * @param {import('node:sqlite').DatabaseSync} database
 */
export function rollupWriter(database) {
  const insert = (table, columns) =>
    database.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`)
  database.exec(`CREATE TEMP TABLE by_provider (${[...PROVIDER_COLUMNS, ...PROVIDER_SUMS].join(', ')})`)
  const quarter = insert('usage_quarter', ['bucket', ...DIMENSIONS, ...sumColumns])
  const provider = insert('by_provider', [...PROVIDER_COLUMNS, ...PROVIDER_SUMS])
  return {
    /** Adds all requests of a session, as rows of facts. */
    addSession(facts) {
      const [quarters, providers] = [new Map(), new Map()]
      for (const fact of facts) {
        const { bucket, dimensions, provider: provider_id, sums } = toRollupRow(fact)
        const day = Math.floor(bucket / BUCKETS_PER_DAY)
        const ids = { day, provider_id, ...dimensions }
        add(quarters, [bucket, ...DIMENSIONS.map((name) => ids[name])], sums, sumColumns)
        add(
          providers,
          PROVIDER_COLUMNS.map((name) => ids[name]),
          sums,
          PROVIDER_SUMS,
        )
      }
      for (const { key, sums } of quarters.values()) quarter.run(...key, ...sums)
      for (const { key, sums } of providers.values()) provider.run(...key, ...sums)
    },
    finish() {
      for (const sql of statements()) database.exec(sql)
    },
  }
}

function add(rows, key, sums, columns) {
  const name = key.join(' ')
  const known = rows.get(name)
  if (known === undefined) {
    rows.set(name, { key, sums: columns.map((column) => Number(sums[column])) })
    return
  }
  for (const [index, column] of columns.entries()) known.sums[index] += Number(sums[column])
}

/** SQL for the coarser rollups, and for the sums of sessions. */
function statements() {
  const columns = sumColumns.join(', ')
  const summed = sumColumns.map((column) => `sum(${column})`).join(', ')
  const ids = DIMENSIONS.join(', ')
  const providerSums = PROVIDER_SUMS.map((column) => `sum(${column})`).join(', ')
  const ofProvider = (dimension, value) =>
    `INSERT INTO usage_provider (dimension, value_id, day, provider_id, agent_id, model_id, shard, ${PROVIDER_SUMS.join(', ')})
     SELECT ${dimension}, ${value}, day, provider_id, agent_id, model_id, 0, ${providerSums} FROM by_provider GROUP BY 1, 2, 3, 4, 5, 6`
  return [
    `INSERT INTO usage_day (day, ${ids}, ${columns})
     SELECT bucket / ${BUCKETS_PER_DAY}, ${ids}, ${summed} FROM usage_quarter GROUP BY 1, 2, 3, 4, 5, 6, 7`,
    ...Object.entries(marginNumber).map(
      ([column, dimension]) => `INSERT INTO usage_margin (dimension, day, value_id, shard, ${columns})
     SELECT ${dimension}, day, ${column}, 0, ${summed} FROM usage_day GROUP BY day, ${column}`,
    ),
    `INSERT INTO usage_total (bucket, shard, ${columns}) SELECT bucket, 0, ${summed} FROM usage_quarter GROUP BY bucket`,
    ofProvider(0, '0'),
    ...Object.entries(PROVIDER_DIMENSIONS).map(([column, dimension]) => ofProvider(dimension, column)),
    'DROP TABLE by_provider',
    `UPDATE session SET requests = sums.requests, cost_nano = sums.cost, unpriced = sums.unpriced, missing_output_nano = sums.missing
     FROM (SELECT session_id, sum(requests) AS requests, sum(cost_nano) AS cost, sum(unpriced) AS unpriced,
       sum(missing_output_nano) AS missing FROM usage_day GROUP BY session_id) AS sums WHERE sums.session_id = session.id`,
  ]
}

/**
 * All rows of all rollups and the sums of sessions, as texts: of two stores with the same, equal.
 * @param {import('node:sqlite').DatabaseSync} database
 */
export function rollupTexts(database) {
  const rowsOf = (sql) =>
    database
      .prepare(sql)
      .all()
      .map((row) => JSON.stringify(row))
      .sort()
      .join('\n')
  return [
    ...rollupTables.map(({ name }) => `${name}\n${rowsOf(`SELECT * FROM ${name}`)}`),
    rowsOf('SELECT id, requests, cost_nano, unpriced, missing_output_nano FROM session'),
  ]
}
