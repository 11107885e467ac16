/**
 * The sums over everybody's requests follow from the quarters of an hour, which have a session and so an owner. What a
 * developer writes of them is passed over, and what they change in the quarters is added by a trigger with the owner's rights.
 */
import { BUCKETS_PER_DAY, SHARDS, SUMS_NOTHING, marginNumber, sumColumns } from '../repository/rollups.ts'

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

/**
 * Statements that bring both tables of sums up to date with a change, and remove rows that sum up nothing. `from`: a query of the
 * changed rows, `sign` 1 for what was added and -1 for what was removed.
 */
const maintained = (from: string): string => {
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
  DELETE FROM usage_margin WHERE ${SUMS_NOTHING} AND day IN (SELECT ${DAY} FROM (${from}) AS changed);
  DELETE FROM usage_total WHERE ${SUMS_NOTHING} AND bucket IN (SELECT bucket FROM (${from}) AS changed);`
}

/**
 * SQL that makes the triggers again: those that add to the sums what a developer changes in the quarters of an hour, and
 * those that pass over what a developer inserts into the sums.
 * @param schema where the tables are, quoted
 */
export const sumTriggers = (schema: string): string => {
  const triggers = Object.entries(CHANGES).map(
    ([change, { from, tables }]) => `CREATE OR REPLACE FUNCTION cairn_sum_${change}() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${schema}, pg_temp AS $cairn$
BEGIN
${maintained(from)}
  RETURN NULL;
END $cairn$;
REVOKE ALL ON FUNCTION cairn_sum_${change}() FROM PUBLIC;
DROP TRIGGER IF EXISTS cairn_sum_${change} ON usage_quarter;
CREATE TRIGGER cairn_sum_${change} AFTER ${change.toUpperCase()} ON usage_quarter REFERENCING ${tables}
  FOR EACH STATEMENT WHEN (${IS_RESTRICTED}) EXECUTE FUNCTION cairn_sum_${change}();`,
  )
  const skipped = ['usage_margin', 'usage_total'].map(
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
