ALTER TABLE "session" ADD COLUMN "missing_output_nano" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "usage_quarter" ADD COLUMN "missing_output_nano" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "usage_day" ADD COLUMN "missing_output_nano" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "usage_margin" ADD COLUMN "missing_output_nano" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "usage_total" ADD COLUMN "missing_output_nano" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "usage_fact" ADD COLUMN "output_rate" BIGINT NOT NULL DEFAULT 0;

-- Written by hand: what the stores hold already gets the estimate, too. The rate comes from the computed cost of the
-- request's own output, or else from that of another request to the same model.
UPDATE "usage_fact" SET "output_rate" = "cost_output" * 1000000 / "output_tokens"
  WHERE "cost_state" = 1 AND "cost_output" > 0 AND "output_tokens" > 0 AND "output_tokens" * 54 < "visible_chars" * 10;
UPDATE "usage_fact" SET "output_rate" = "rates"."rate"
  FROM (SELECT "model_id" AS "model", max("cost_output" * 1000000 / "output_tokens") AS "rate" FROM "usage_fact"
    WHERE "cost_state" = 1 AND "cost_output" > 0 AND "output_tokens" > 0 GROUP BY "model_id") AS "rates"
  WHERE "rates"."model" = "usage_fact"."model_id" AND "output_rate" = 0 AND "cost_state" <> 2 AND "output_tokens" * 54 < "visible_chars" * 10;
UPDATE "usage_quarter" SET "missing_output_nano" = "sums"."nano"
  FROM (SELECT CASE WHEN "at" IS NULL OR "at" < 0 THEN -1 ELSE "at" / 900000 END AS "bucket", "session_id", "workspace_id", "model_id", "mode_id", "agent_id", "branch_id",
    sum(((("visible_chars" * 10 + 26) / 27 - "output_tokens") * "output_rate" + 500000) / 1000000) AS "nano"
    FROM "usage_fact" WHERE "output_rate" > 0 AND "output_tokens" * 54 < "visible_chars" * 10 GROUP BY 1, "session_id", "workspace_id", "model_id", "mode_id", "agent_id", "branch_id") AS "sums"
  WHERE "sums"."bucket" = "usage_quarter"."bucket" AND "sums"."session_id" = "usage_quarter"."session_id" AND "sums"."workspace_id" = "usage_quarter"."workspace_id" AND "sums"."model_id" = "usage_quarter"."model_id" AND "sums"."mode_id" = "usage_quarter"."mode_id" AND "sums"."agent_id" = "usage_quarter"."agent_id" AND "sums"."branch_id" = "usage_quarter"."branch_id";
UPDATE "usage_day" SET "missing_output_nano" = "sums"."nano"
  FROM (SELECT CASE WHEN "bucket" < 0 THEN -1 ELSE "bucket" / 96 END AS "day", "session_id", "workspace_id", "model_id", "mode_id", "agent_id", "branch_id", sum("missing_output_nano") AS "nano"
    FROM "usage_quarter" WHERE "missing_output_nano" > 0 GROUP BY 1, "session_id", "workspace_id", "model_id", "mode_id", "agent_id", "branch_id") AS "sums"
  WHERE "sums"."day" = "usage_day"."day" AND "sums"."session_id" = "usage_day"."session_id" AND "sums"."workspace_id" = "usage_day"."workspace_id" AND "sums"."model_id" = "usage_day"."model_id" AND "sums"."mode_id" = "usage_day"."mode_id" AND "sums"."agent_id" = "usage_day"."agent_id" AND "sums"."branch_id" = "usage_day"."branch_id";
UPDATE "usage_margin" SET "missing_output_nano" = "sums"."nano"
  FROM (SELECT 1 AS "dimension", "day", "workspace_id" AS "value_id", "session_id" % 16 AS "shard", sum("missing_output_nano") AS "nano"
      FROM "usage_day" WHERE "missing_output_nano" > 0 GROUP BY 2, 3, 4
    UNION ALL SELECT 2 AS "dimension", "day", "model_id" AS "value_id", "session_id" % 16 AS "shard", sum("missing_output_nano") AS "nano"
      FROM "usage_day" WHERE "missing_output_nano" > 0 GROUP BY 2, 3, 4
    UNION ALL SELECT 3 AS "dimension", "day", "mode_id" AS "value_id", "session_id" % 16 AS "shard", sum("missing_output_nano") AS "nano"
      FROM "usage_day" WHERE "missing_output_nano" > 0 GROUP BY 2, 3, 4
    UNION ALL SELECT 4 AS "dimension", "day", "agent_id" AS "value_id", "session_id" % 16 AS "shard", sum("missing_output_nano") AS "nano"
      FROM "usage_day" WHERE "missing_output_nano" > 0 GROUP BY 2, 3, 4
    UNION ALL SELECT 5 AS "dimension", "day", "branch_id" AS "value_id", "session_id" % 16 AS "shard", sum("missing_output_nano") AS "nano"
      FROM "usage_day" WHERE "missing_output_nano" > 0 GROUP BY 2, 3, 4) AS "sums"
  WHERE "sums"."dimension" = "usage_margin"."dimension" AND "sums"."day" = "usage_margin"."day" AND "sums"."value_id" = "usage_margin"."value_id" AND "sums"."shard" = "usage_margin"."shard";
UPDATE "usage_total" SET "missing_output_nano" = "sums"."nano"
  FROM (SELECT "bucket", "session_id" % 16 AS "shard", sum("missing_output_nano") AS "nano"
    FROM "usage_quarter" WHERE "missing_output_nano" > 0 GROUP BY 1, 2) AS "sums"
  WHERE "sums"."bucket" = "usage_total"."bucket" AND "sums"."shard" = "usage_total"."shard";
UPDATE "session" SET "missing_output_nano" = "sums"."nano"
  FROM (SELECT "session_id", sum("missing_output_nano") AS "nano" FROM "usage_day" WHERE "missing_output_nano" > 0 GROUP BY 1) AS "sums"
  WHERE "sums"."session_id" = "session"."id";
