-- DropIndex
DROP INDEX "session_workspace_id_updated_at_idx";

-- DropIndex
DROP INDEX "session_cost_nano_idx";

-- DropIndex
DROP INDEX "session_updated_at_idx";

-- DropIndex
DROP INDEX "usage_day_session_id_idx";

-- CreateIndex
CREATE INDEX "session_list_idx" ON "session"("updated_at", "started_at", "workspace_id", "branch_id", "agent_id", "message_count", "cost_nano");

-- CreateIndex
CREATE INDEX "usage_day_session_id_model_id_idx" ON "usage_day"("session_id", "model_id");
