/** Migrations as a later version could have them, with all kinds of steps: for tests of how they are applied. */
import { createHash } from 'node:crypto'
import type { Migration } from '../migrations/migration.ts'
import { migrations } from '../generated/postgresql/migrations.ts'

/** A migration as it is generated from its script. */
export const migration = (name: string, sql: string): Migration => ({
  name,
  sql,
  checksum: createHash('sha256').update(sql).digest('hex'),
})

const COLUMN = migration(
  '29990101000001_filled_column',
  'ALTER TABLE "entry" ADD COLUMN "filled" BIGINT NOT NULL DEFAULT 0;',
)

/** Counts in that column how often each row was filled. */
const FILLED = migration(
  '29990101000002_filled_entries',
  `UPDATE "entry" SET "filled" = "filled" + 1 WHERE /* batches of "entry"."id" */ TRUE;
CREATE INDEX "entry_filled_id_idx" ON "entry"("filled", "id");`,
)

/** Makes a column that is never null, out of another one. */
const OWNER = migration(
  '29990101000003_owner_names',
  `ALTER TABLE "entry" ADD COLUMN "owner" TEXT;
ALTER TABLE "entry" ALTER COLUMN "owner" SET DEFAULT 'unknown';
UPDATE "entry" SET "owner" = "session"."key" FROM "session"
  WHERE /* batches of "entry"."id" */ TRUE AND "session"."id" = "entry"."session_id" AND "entry"."owner" IS NULL;
ALTER TABLE "entry" ADD CONSTRAINT "entry_owner_there" CHECK ("owner" IS NOT NULL) NOT VALID;
ALTER TABLE "entry" VALIDATE CONSTRAINT "entry_owner_there";
ALTER TABLE "entry" ALTER COLUMN "owner" SET NOT NULL;
ALTER TABLE "entry" DROP CONSTRAINT "entry_owner_there";
CREATE TABLE "owner_name" ("name" TEXT NOT NULL, "seen" INTEGER NOT NULL, CONSTRAINT "owner_name_pkey" PRIMARY KEY ("name"));
INSERT INTO "owner_name" ("name", "seen") SELECT "key", 1 FROM "session" WHERE /* batches of "session"."id" */ TRUE ON CONFLICT DO NOTHING;
CREATE INDEX "owner_name_seen_idx" ON "owner_name"("seen");`,
)

/** What a later version applies: all of this one's, and three more, of which the second fills what the first has made. */
export const laterMigrations: readonly Migration[] = [...migrations, COLUMN, FILLED, OWNER]
