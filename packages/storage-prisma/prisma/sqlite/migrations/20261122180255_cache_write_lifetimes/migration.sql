-- Written by hand: adding a column with a constant costs nothing, whatever the store holds.
ALTER TABLE "usage_fact" ADD COLUMN "cache_write_30m" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "usage_fact" ADD COLUMN "cache_write_12h" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "usage_quarter" ADD COLUMN "cache_write_30m" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "usage_quarter" ADD COLUMN "cache_write_12h" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "usage_day" ADD COLUMN "cache_write_30m" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "usage_day" ADD COLUMN "cache_write_12h" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "usage_margin" ADD COLUMN "cache_write_30m" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "usage_margin" ADD COLUMN "cache_write_12h" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "usage_total" ADD COLUMN "cache_write_30m" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "usage_total" ADD COLUMN "cache_write_12h" BIGINT NOT NULL DEFAULT 0;
