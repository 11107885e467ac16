-- CreateTable
CREATE TABLE "note_version" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "workspace" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "session_id" TEXT,
    "created_at" BIGINT NOT NULL,
    "valid_from" BIGINT NOT NULL,
    "valid_to" BIGINT
);

-- CreateTable
CREATE TABLE "search_tail" (
    "entry_id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "session_id" INTEGER NOT NULL,
    "seq" INTEGER NOT NULL,
    "workspace_id" INTEGER NOT NULL,
    "data" BLOB NOT NULL
);

-- CreateTable
CREATE TABLE "search_segment" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "workspace_id" INTEGER NOT NULL,
    "level" INTEGER NOT NULL,
    "messages" INTEGER NOT NULL,
    "bytes" INTEGER NOT NULL,
    "head" BLOB NOT NULL
);

-- CreateTable
CREATE TABLE "search_page" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "data" BLOB NOT NULL
);

-- CreateTable
CREATE TABLE "search_pending" (
    "session_id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "from_seq" INTEGER NOT NULL,
    "until_seq" INTEGER NOT NULL
);

-- AlterTable
ALTER TABLE "memory_version" ADD COLUMN "confirmations" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "memory_version" ADD COLUMN "contradictions" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "memory_version" ADD COLUMN "commit" TEXT;
ALTER TABLE "memory_version" ADD COLUMN "source" TEXT NOT NULL DEFAULT 'user';
ALTER TABLE "memory_version" ADD COLUMN "ended" TEXT;
ALTER TABLE "memory_version" ADD COLUMN "replaced_by" TEXT;
ALTER TABLE "memory_version" ADD COLUMN "words" TEXT NOT NULL DEFAULT '';

-- CreateIndex
CREATE INDEX "memory_version_words_valid_to_idx" ON "memory_version"("words", "valid_to");

-- CreateIndex
CREATE INDEX "note_version_workspace_key_valid_to_idx" ON "note_version"("workspace", "key", "valid_to");

-- CreateIndex
CREATE INDEX "search_tail_workspace_id_idx" ON "search_tail"("workspace_id");

-- CreateIndex
CREATE INDEX "search_tail_session_id_idx" ON "search_tail"("session_id");

-- CreateIndex
CREATE INDEX "search_segment_workspace_id_idx" ON "search_segment"("workspace_id");

-- Written by hand: what notes say now is their first version.
INSERT INTO "note_version" ("workspace", "key", "text", "session_id", "created_at", "valid_from")
SELECT "workspace", "key", "text", "session_id", "created_at", "updated_at" FROM "note";

-- DropTable
DROP TABLE "note";

-- Written by hand: the search index is made anew in its own form, at the first need of it.
DROP TABLE "search_text";
INSERT INTO "search_pending" ("session_id", "from_seq", "until_seq") SELECT "id", 0, "next_seq" FROM "session";
