-- AlterTable
ALTER TABLE "memory_version" ADD COLUMN     "commit" TEXT,
ADD COLUMN     "confirmations" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "contradictions" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "ended" TEXT,
ADD COLUMN     "replaced_by" TEXT,
ADD COLUMN     "source" TEXT NOT NULL DEFAULT 'user',
ADD COLUMN     "words" TEXT NOT NULL DEFAULT '';

-- CreateTable
CREATE TABLE "note_version" (
    "id" SERIAL NOT NULL,
    "workspace" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "session_id" TEXT,
    "created_at" BIGINT NOT NULL,
    "valid_from" BIGINT NOT NULL,
    "valid_to" BIGINT,

    CONSTRAINT "note_version_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "search_tail" (
    "entry_id" INTEGER NOT NULL,
    "session_id" INTEGER NOT NULL,
    "seq" INTEGER NOT NULL,
    "workspace_id" INTEGER NOT NULL,
    "data" BYTEA NOT NULL,

    CONSTRAINT "search_tail_pkey" PRIMARY KEY ("entry_id")
);

-- CreateTable
CREATE TABLE "search_segment" (
    "id" SERIAL NOT NULL,
    "workspace_id" INTEGER NOT NULL,
    "level" INTEGER NOT NULL,
    "messages" INTEGER NOT NULL,
    "bytes" INTEGER NOT NULL,
    "head" BYTEA NOT NULL,

    CONSTRAINT "search_segment_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "search_page" (
    "id" INTEGER NOT NULL,
    "data" BYTEA NOT NULL,

    CONSTRAINT "search_page_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "search_pending" (
    "session_id" INTEGER NOT NULL,
    "from_seq" INTEGER NOT NULL,
    "until_seq" INTEGER NOT NULL,

    CONSTRAINT "search_pending_pkey" PRIMARY KEY ("session_id")
);

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
DROP TABLE "search_document";
INSERT INTO "search_pending" ("session_id", "from_seq", "until_seq") SELECT "id", 0, "next_seq" FROM "session";

-- Heads and pages are compact already.
ALTER TABLE "search_segment" ALTER COLUMN "head" SET STORAGE EXTERNAL;
ALTER TABLE "search_page" ALTER COLUMN "data" SET STORAGE EXTERNAL;
