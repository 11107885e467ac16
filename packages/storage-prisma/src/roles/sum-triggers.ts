/**
 * The sums over everybody's requests follow from the quarters of an hour, and those by provider from the requests: both have a
 * session and so an owner. What a developer writes of the sums is passed over, and what they change in quarters and requests
 * is added by a trigger with the owner's rights.
 */
import {
  ALL_REQUESTS,
  BUCKETS_PER_DAY,
  PROVIDER_DIMENSIONS,
  PROVIDER_KEYS,
  PROVIDER_SUMS,
  SHARDS,
  marginNumber,
  sumColumns,
} from '../repository/rollups.ts'
import { SUM_TABLES } from './role-tables.ts'

/** Whether whoever writes is a developer, and neither the tables' owner nor an admin. */
const IS_RESTRICTED = `row_security_active('usage_total') AND NOT pg_has_role(current_user, 'cairn_admin', 'USAGE')`

const CHANGES = {
  insert: { from: 'SELECT 1 AS sign, * FROM added', tables: 'NEW TABLE AS added' },
  update: {
    from: 'SELECT 1 AS sign, * FROM added UNION ALL SELECT -1, * FROM removed',
    tables: 'NEW TABLE AS added OLD TABLE AS removed',
  },
  delete: { from: 'SELECT -1 AS sign, * FROM removed', tables: 'OLD TABLE AS removed' },
} as const

const SUMMED = sumColumns.map((column) => `sum(sign * "${column}")`).join(', ')
const COLUMNS = sumColumns.map((column) => `"${column}"`).join(', ')
const added = (table: string): string =>
  sumColumns.map((column) => `"${column}" = ${table}."${column}" + excluded."${column}"`).join(', ')

const SHARD = `session_id % ${SHARDS.postgresql}`
const DAY = `CASE WHEN bucket < 0 THEN -1 ELSE bucket / ${BUCKETS_PER_DAY} END`

/** The sums of a request by provider, as SQL; see `toRollupRow`. */
const PROVIDER_VALUES: Readonly<Record<(typeof PROVIDER_SUMS)[number], string>> = {
  requests: '1',
  cost_nano: 'COALESCE(cost_nano, 0)',
  unpriced: 'CASE WHEN cost_state = 2 THEN 1 ELSE 0 END',
}
const DAY_MS = 86_400_000
const DAY_OF_REQUEST = `CASE WHEN "at" IS NULL OR "at" < 0 THEN -1 ELSE "at" / ${DAY_MS} END`

/** Statements that bring the sums by provider up to date with a change of requests. */
const providersMaintained = (from: string): string => {
  const keys = ['dimension', 'value_id', ...PROVIDER_KEYS]
  const parts = [
    `${ALL_REQUESTS}, 0`,
    ...Object.entries(PROVIDER_DIMENSIONS).map(([column, number]) => `${number}, "${column}"`),
  ]
  const values = `${DAY_OF_REQUEST}, provider_id, agent_id, model_id, ${SHARD}`
  const summed = PROVIDER_SUMS.map((column) => `sum(sign * ${PROVIDER_VALUES[column]})`).join(', ')
  const additions = PROVIDER_SUMS.map((column) => `${column} = usage_provider.${column} + excluded.${column}`).join(
    ', ',
  )
  const order = keys.map((_, index) => index + 1).join(', ')
  return parts
    .map(
      (part) => `  INSERT INTO usage_provider (${keys.join(', ')}, ${PROVIDER_SUMS.join(', ')})
    SELECT ${part}, ${values}, ${summed} FROM (${from}) AS changed GROUP BY ${order} ORDER BY ${order}
    ON CONFLICT (${keys.join(', ')}) DO UPDATE SET ${additions};
  DELETE FROM usage_provider USING (SELECT DISTINCT ${part}, ${values} FROM (${from}) AS changed) AS gone (${keys.join(', ')})
    WHERE ${keys.map((key) => `usage_provider.${key} = gone.${key}`).join(' AND ')} AND usage_provider.requests = 0;`,
    )
    .join('\n')
}

/** Statements that bring the margins and the totals up to date with a change of quarters. */
const quartersMaintained = (from: string): string => {
  const margins = Object.entries(marginNumber).map(([column, dimension]) => ({
    keys: `${dimension}, ${DAY}, "${column}", ${SHARD}`,
    dimension,
  }))
  const margin = margins
    .map(
      ({ keys }) => `  INSERT INTO usage_margin (dimension, day, value_id, shard, ${COLUMNS})
    SELECT ${keys}, ${SUMMED} FROM (${from}) AS changed GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (dimension, day, value_id, shard) DO UPDATE SET ${added('usage_margin')};`,
    )
    .join('\n')
  return `${margin}
  INSERT INTO usage_total (bucket, shard, ${COLUMNS})
    SELECT bucket, ${SHARD}, ${SUMMED} FROM (${from}) AS changed GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (bucket, shard) DO UPDATE SET ${added('usage_total')};
  DELETE FROM usage_margin WHERE requests = 0 AND day IN (SELECT ${DAY} FROM (${from}) AS changed);
  DELETE FROM usage_total WHERE requests = 0 AND bucket IN (SELECT bucket FROM (${from}) AS changed);`
}

/** Tables whose changes change sums, with the beginning of the names of their triggers. */
const SUMMED_TABLES = [
  { table: 'usage_quarter', prefix: 'cairn_sum', maintained: quartersMaintained },
  { table: 'usage_fact', prefix: 'cairn_sum_provider', maintained: providersMaintained },
] as const

/** SQL that makes the triggers again. @param schema where the tables are, quoted */
export const sumTriggers = (schema: string): string => {
  const triggers = SUMMED_TABLES.flatMap(({ table, prefix, maintained }) =>
    Object.entries(CHANGES).map(([change, { from, tables }]) => {
      const name = `${prefix}_${change}`
      return `CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${schema}, pg_temp AS $cairn$
BEGIN
${maintained(from)}
  RETURN NULL;
END $cairn$;
REVOKE ALL ON FUNCTION ${name}() FROM PUBLIC;
DROP TRIGGER IF EXISTS ${name} ON ${table};
CREATE TRIGGER ${name} AFTER ${change.toUpperCase()} ON ${table} REFERENCING ${tables}
  FOR EACH STATEMENT WHEN (${IS_RESTRICTED}) EXECUTE FUNCTION ${name}();`
    }),
  )
  const skipped = SUM_TABLES.map(
    (table) => `DROP TRIGGER IF EXISTS cairn_skip ON ${table};
CREATE TRIGGER cairn_skip BEFORE INSERT ON ${table}
  FOR EACH ROW WHEN (${IS_RESTRICTED}) EXECUTE FUNCTION cairn_skip();`,
  )
  return [
    ...triggers,
    `CREATE OR REPLACE FUNCTION cairn_skip() RETURNS trigger LANGUAGE plpgsql AS $cairn$ BEGIN RETURN NULL; END $cairn$;
REVOKE ALL ON FUNCTION cairn_skip() FROM PUBLIC;`,
    ...skipped,
  ].join('\n')
}
