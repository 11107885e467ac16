-- CreateTable
CREATE TABLE "usage_provider" (
    "dimension" INTEGER NOT NULL,
    "value_id" INTEGER NOT NULL,
    "day" INTEGER NOT NULL,
    "provider_id" INTEGER NOT NULL,
    "agent_id" INTEGER NOT NULL,
    "model_id" INTEGER NOT NULL,
    "shard" INTEGER NOT NULL,
    "requests" INTEGER NOT NULL,
    "cost_nano" BIGINT NOT NULL,
    "unpriced" INTEGER NOT NULL,

    PRIMARY KEY ("dimension", "value_id", "day", "provider_id", "agent_id", "model_id", "shard")
) WITHOUT ROWID;

-- Written by hand: what the stores hold already is summed, too. 0: all; 1: folders; 5: branches.
WITH "sums" AS MATERIALIZED (
  SELECT CASE WHEN "at" IS NULL OR "at" < 0 THEN -1 ELSE "at" / 86400000 END AS "day", "workspace_id", "branch_id", "provider_id", "agent_id", "model_id", 0 AS "shard",
    count(*) AS "requests", sum(COALESCE("cost_nano", 0)) AS "cost_nano", sum(CASE WHEN "cost_state" = 2 THEN 1 ELSE 0 END) AS "unpriced"
  FROM "usage_fact" GROUP BY 1, 2, 3, 4, 5, 6, 7)
INSERT INTO "usage_provider" ("dimension", "value_id", "day", "provider_id", "agent_id", "model_id", "shard", "requests", "cost_nano", "unpriced")
  SELECT 0, 0, "day", "provider_id", "agent_id", "model_id", "shard", sum("requests"), sum("cost_nano"), sum("unpriced") FROM "sums" GROUP BY 3, 4, 5, 6, 7
  UNION ALL SELECT 1, "workspace_id", "day", "provider_id", "agent_id", "model_id", "shard", sum("requests"), sum("cost_nano"), sum("unpriced") FROM "sums" GROUP BY 2, 3, 4, 5, 6, 7
  UNION ALL SELECT 5, "branch_id", "day", "provider_id", "agent_id", "model_id", "shard", sum("requests"), sum("cost_nano"), sum("unpriced") FROM "sums" GROUP BY 2, 3, 4, 5, 6, 7;
