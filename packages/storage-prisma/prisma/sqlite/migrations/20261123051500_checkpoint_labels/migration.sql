-- Written by hand: adding columns without a value costs nothing, whatever the store holds.
ALTER TABLE "checkpoint" ADD COLUMN "kind" TEXT;
ALTER TABLE "checkpoint" ADD COLUMN "label" TEXT;
ALTER TABLE "checkpoint" ADD COLUMN "left_out" TEXT;

-- CreateIndex
CREATE INDEX "checkpoint_session_id_at_idx" ON "checkpoint"("session_id", "at");
