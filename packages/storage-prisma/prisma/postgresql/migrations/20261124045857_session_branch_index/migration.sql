-- DropIndex
DROP INDEX "usage_day_session_id_model_id_branch_id_idx";

-- CreateIndex
CREATE INDEX "usage_day_session_id_model_id_idx" ON "usage_day"("session_id", "model_id");

-- CreateIndex
CREATE INDEX "usage_day_branch_id_session_id_idx" ON "usage_day"("branch_id", "session_id");
