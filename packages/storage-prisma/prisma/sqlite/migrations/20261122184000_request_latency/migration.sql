-- Written by hand: adding columns with a constant costs nothing, whatever the store holds.
ALTER TABLE "usage_fact" ADD COLUMN "attempt" INTEGER;
ALTER TABLE "usage_fact" ADD COLUMN "first_token_ms" INTEGER;
ALTER TABLE "usage_fact" ADD COLUMN "total_ms" INTEGER;
ALTER TABLE "usage_quarter" ADD COLUMN "timed" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "usage_quarter" ADD COLUMN "first_token_ms" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "usage_quarter" ADD COLUMN "total_ms" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "usage_day" ADD COLUMN "timed" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "usage_day" ADD COLUMN "first_token_ms" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "usage_day" ADD COLUMN "total_ms" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "usage_margin" ADD COLUMN "timed" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "usage_margin" ADD COLUMN "first_token_ms" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "usage_margin" ADD COLUMN "total_ms" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "usage_total" ADD COLUMN "timed" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "usage_total" ADD COLUMN "first_token_ms" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "usage_total" ADD COLUMN "total_ms" BIGINT NOT NULL DEFAULT 0;

CREATE TABLE "request_failure" (
    "failure_hash" BLOB NOT NULL PRIMARY KEY,
    "session_id" INTEGER NOT NULL,
    "at" BIGINT NOT NULL,
    "model_id" INTEGER NOT NULL,
    "provider_id" INTEGER NOT NULL,
    "mode_id" INTEGER NOT NULL,
    "code" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "total_ms" INTEGER NOT NULL
);
CREATE INDEX "request_failure_at_idx" ON "request_failure"("at");
CREATE INDEX "request_failure_session_id_idx" ON "request_failure"("session_id");
