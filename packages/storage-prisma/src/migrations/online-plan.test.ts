/** Migrations on PostgreSQL are refused here where they would keep those who use the store waiting. */
import { describe, expect, it } from '@jest/globals'
import { migrations } from '../generated/postgresql/migrations.ts'
import { planOf } from './online-plan.ts'

/**
 * These run as one transaction. They are from before there were steps, and can't change any more. A new one may only be here
 * where it removes what no version that may still be running uses, and nothing else.
 */
const WHOLE = [
  '20261120115909_init',
  '20261121182508_memory_and_recall',
  '20261121230000_commit_prefixes',
  '20261122085824_missing_output_cost',
  '20261122100000_checked_search_index',
  '20261124155000_stems_of_languages',
]

describe('the migrations of PostgreSQL', () => {
  it('take no long lock; what is wrong with one is said in the README of the migrations', () => {
    const problems = migrations.flatMap(({ name, sql }) =>
      WHOLE.some((whole) => whole === name) ? [] : planOf(sql).problems.map((problem) => `${name}: ${problem}`),
    )
    expect(problems).toEqual([])
  })

  it('lists as old ones only those that are', () => {
    const old = migrations.filter(({ sql }) => planOf(sql).problems.length > 0).map(({ name }) => name)
    expect(old).toEqual(WHOLE)
  })
})

describe('a statement that takes a long lock', () => {
  it.each<readonly [string, string, RegExp]>([
    ['of another type', 'ALTER TABLE "session" ALTER COLUMN "title" SET DATA TYPE VARCHAR(9);', /anew .+ add a column/],
    [
      'without null',
      'ALTER TABLE "session" ALTER COLUMN "title" SET NOT NULL;',
      /needs a validated CHECK \("title" IS/,
    ],
    [
      'without null, whose check is not validated',
      `ALTER TABLE "session" ADD CONSTRAINT "c" CHECK ("title" IS NOT NULL) NOT VALID;
       ALTER TABLE "session" ALTER COLUMN "title" SET NOT NULL;`,
      /needs a validated CHECK/,
    ],
    [
      'without null, whose check is of another table',
      `ALTER TABLE "label" ADD CONSTRAINT "c" CHECK ("title" IS NOT NULL) NOT VALID;
       ALTER TABLE "label" VALIDATE CONSTRAINT "c"; ALTER TABLE "session" ALTER COLUMN "title" SET NOT NULL;`,
      /needs a validated CHECK/,
    ],
    [
      'without null, whose check is gone',
      `ALTER TABLE "session" ADD CONSTRAINT "c" CHECK ("title" IS NOT NULL) NOT VALID;
       ALTER TABLE "session" VALIDATE CONSTRAINT "c"; ALTER TABLE "session" DROP CONSTRAINT "c";
       ALTER TABLE "session" ALTER COLUMN "title" SET NOT NULL;`,
      /needs a validated CHECK/,
    ],
    ['over a table', `UPDATE "session" SET "title" = 'a;b' WHERE "title" IS NULL;`, /changes a whole table/],
    [
      'in batches that are not all of its condition',
      'UPDATE "session" SET "a" = 1 WHERE /* batches of "session"."id" */ TRUE AND "b" = 1 OR "b" = 2;',
      /and no OR/,
    ],
    ['that empties a table', 'DELETE FROM "search_tail";', /changes a whole table/],
    [
      'that copies',
      'INSERT INTO "label" ("kind", "value") SELECT 1, "name" FROM "workspace";',
      /changes a whole table/,
    ],
    [
      'with a volatile default',
      'ALTER TABLE "session" ADD COLUMN "a" TEXT DEFAULT gen_random_uuid();',
      /a constant DEF/,
    ],
    ['with numbers', 'ALTER TABLE "session" ADD COLUMN "a" SERIAL;', /a constant DEFAULT/],
    ['with a value for all', 'ALTER TABLE "session" ADD COLUMN "a" TEXT NOT NULL;', /a constant DEFAULT/],
    ['that is the second', 'ALTER TABLE "session" ADD COLUMN "a" INT, ADD COLUMN "b" INT UNIQUE;', /a constant DEF/],
    ['checked at once', 'ALTER TABLE "session" ADD CONSTRAINT "c" CHECK ("id" > 0);', /add it NOT VALID/],
    ['with an index of its own', 'ALTER TABLE "session" ADD CONSTRAINT "c" UNIQUE ("title");', /add it NOT VALID/],
    ['that older programs need', 'ALTER TABLE "session" DROP COLUMN "title";', /older programs/],
    ['that is renamed', 'ALTER TABLE "session" RENAME COLUMN "title" TO "name";', /older programs/],
    ['that goes', 'DROP TABLE "session";', /older programs/],
    ['in a form of its own', 'CREATE INDEX CONCURRENTLY "i" ON "session"("title");', /without CONCURRENTLY/],
    ['that hides another', 'DO $$ BEGIN CREATE INDEX "i" ON "session"("title"); END $$;', /not known to be/],
    ['that is unknown', 'LOCK TABLE "session";', /not known to be/],
    ['that writes all anew', 'ALTER TABLE "session" SET LOGGED;', /not known to be/],
  ])('is refused: %s', (_, sql, expected) => {
    const { steps, problems } = planOf(sql)
    expect(problems.join('\n')).toMatch(expected)
    expect(steps).toEqual([{ kind: 'transaction', sql }])
  })

  it('begins the sentence that refuses it, in one line', () => {
    expect(planOf('-- First\nCREATE TABLE "x" ("id" INT);\nLOCK\n  TABLE "x";').problems).toEqual([
      '"LOCK TABLE "x"" is not known to be done in a moment; see the README of the migrations.',
    ])
  })
})

describe('the steps of a migration', () => {
  it('build indexes of tables that are there beside writers, and drop those that they replace at last', () => {
    expect(
      planOf(`-- DropIndex; with a semicolon
DROP INDEX "old_idx";
DROP INDEX "again_idx";
CREATE UNIQUE INDEX "again_idx" ON "session"("a", "b") WHERE "c" = ';';
CREATE TABLE "new" ("id" SERIAL NOT NULL, CONSTRAINT "new_pkey" PRIMARY KEY ("id"));
CREATE INDEX "new_idx" ON "new"("id");`).steps,
    ).toEqual([
      { kind: 'drop-index', name: 'again_idx' },
      {
        kind: 'create-index',
        name: 'again_idx',
        sql: `CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "again_idx" ON "session"("a", "b") WHERE "c" = ';'`,
      },
      {
        kind: 'transaction',
        sql: 'CREATE TABLE "new" ("id" SERIAL NOT NULL, CONSTRAINT "new_pkey" PRIMARY KEY ("id"))',
      },
      { kind: 'transaction', sql: 'CREATE INDEX "new_idx" ON "new"("id")' },
      { kind: 'drop-index', name: 'old_idx' },
    ])
  })

  it('take a column that is never null for that where a check has been validated', () => {
    const script = `ALTER TABLE "session" ADD COLUMN "a" TEXT, ADD COLUMN "b" DECIMAL(3,1) NOT NULL DEFAULT 0.5;
ALTER TABLE "session" ADD CONSTRAINT "a_there" CHECK ("a" IS NOT NULL) NOT VALID;
ALTER TABLE "session" VALIDATE CONSTRAINT "a_there";
ALTER TABLE "session" ALTER COLUMN "a" SET NOT NULL;
ALTER TABLE "session" DROP CONSTRAINT "a_there";`
    const { steps, problems } = planOf(script)
    expect(problems).toEqual([])
    expect(steps.map(({ kind }) => kind)).toEqual(Array.from({ length: 5 }, () => 'transaction'))
  })

  it('go along a column in batches', () => {
    expect(
      planOf(`UPDATE "session" SET "a" = 1 WHERE /* batches of "session"."id" */ TRUE AND "b" > 2;`).steps,
    ).toEqual([
      {
        kind: 'batches',
        table: 'session',
        column: 'id',
        before: 'UPDATE "session" SET "a" = 1 WHERE ',
        after: ' AND "b" > 2',
      },
    ])
  })
})
