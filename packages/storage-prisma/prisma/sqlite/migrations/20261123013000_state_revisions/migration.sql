-- AlterTable
ALTER TABLE "state" ADD COLUMN "revision" BIGINT NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "state_scope" (
    "scope" TEXT NOT NULL PRIMARY KEY,
    "revision" BIGINT NOT NULL,
    "origin" BIGINT NOT NULL
);

-- CreateIndex
CREATE INDEX "state_scope_revision_idx" ON "state"("scope", "revision");
