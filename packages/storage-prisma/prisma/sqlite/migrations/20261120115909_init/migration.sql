-- CreateTable
CREATE TABLE "imported_file" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "path" TEXT NOT NULL,
    "agent" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "identity" TEXT NOT NULL,
    "size" BIGINT NOT NULL,
    "modified_at" BIGINT NOT NULL,
    "offset" BIGINT NOT NULL,
    "line" INTEGER NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "parser_state" BLOB NOT NULL
);

-- CreateTable
CREATE TABLE "source_run" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "file_id" INTEGER NOT NULL,
    "session_id" INTEGER NOT NULL,
    "first_line" INTEGER NOT NULL,
    "line_count" INTEGER NOT NULL,
    "pack_id" INTEGER NOT NULL,
    "offset" INTEGER NOT NULL,
    "length" INTEGER NOT NULL,
    "bytes" INTEGER NOT NULL
);

-- CreateTable
CREATE TABLE "import_skip" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "path" TEXT NOT NULL,
    "line" INTEGER,
    "reason" TEXT NOT NULL,
    "count" INTEGER NOT NULL
);

-- CreateTable
CREATE TABLE "state" (
    "scope" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "updated_at" BIGINT NOT NULL,

    PRIMARY KEY ("scope", "key")
);

-- CreateTable
CREATE TABLE "note" (
    "workspace" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "session_id" TEXT,
    "created_at" BIGINT NOT NULL,
    "updated_at" BIGINT NOT NULL,

    PRIMARY KEY ("workspace", "key")
);

-- CreateTable
CREATE TABLE "memory_version" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "entry_id" TEXT NOT NULL,
    "workspace" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "confidence" REAL NOT NULL,
    "examples" TEXT NOT NULL,
    "session_id" TEXT,
    "message_id" TEXT,
    "first_seen_at" BIGINT NOT NULL,
    "last_confirmed_at" BIGINT NOT NULL,
    "applications" INTEGER NOT NULL,
    "valid_from" BIGINT NOT NULL,
    "valid_to" BIGINT
);

-- CreateTable
CREATE TABLE "checkpoint" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "workspace" TEXT NOT NULL,
    "session_id" TEXT,
    "at" BIGINT NOT NULL,
    "commit" TEXT NOT NULL,
    "files" INTEGER NOT NULL,
    "bytes" BIGINT NOT NULL
);

-- CreateTable
CREATE TABLE "workspace" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "path" TEXT NOT NULL,
    "name" TEXT NOT NULL
);

-- CreateTable
CREATE TABLE "label" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "kind" INTEGER NOT NULL,
    "value" TEXT NOT NULL
);

-- CreateTable
CREATE TABLE "session" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "key" TEXT NOT NULL,
    "agent_id" INTEGER NOT NULL,
    "external_id" TEXT NOT NULL,
    "workspace_id" INTEGER NOT NULL DEFAULT 0,
    "branch_id" INTEGER NOT NULL DEFAULT 0,
    "title" TEXT,
    "titled" INTEGER NOT NULL DEFAULT 0,
    "forked_from" TEXT,
    "started_at" BIGINT,
    "updated_at" BIGINT,
    "next_seq" INTEGER NOT NULL DEFAULT 0,
    "message_count" INTEGER NOT NULL DEFAULT 0,
    "favourite" INTEGER NOT NULL DEFAULT 0,
    "redactions" INTEGER NOT NULL DEFAULT 0,
    "requests" INTEGER NOT NULL DEFAULT 0,
    "cost_nano" BIGINT NOT NULL DEFAULT 0,
    "unpriced" INTEGER NOT NULL DEFAULT 0
);

-- CreateTable
CREATE TABLE "deleted_session" (
    "key" TEXT NOT NULL PRIMARY KEY,
    "deleted_at" BIGINT NOT NULL
);

-- CreateTable
CREATE TABLE "entry" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "session_id" INTEGER NOT NULL,
    "seq" INTEGER NOT NULL,
    "at" BIGINT,
    "kind" INTEGER NOT NULL,
    "role" INTEGER,
    "external_id" TEXT,
    "pack_id" INTEGER,
    "offset" INTEGER,
    "length" INTEGER,
    "body" BLOB
);

-- CreateTable
CREATE TABLE "pack" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "session_id" INTEGER NOT NULL,
    "raw_size" INTEGER NOT NULL,
    "refs" BLOB NOT NULL,
    "data" BLOB NOT NULL
);

-- CreateTable
CREATE TABLE "block" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "hash" BLOB NOT NULL,
    "pack_id" INTEGER NOT NULL,
    "offset" INTEGER NOT NULL,
    "length" INTEGER NOT NULL,
    "said" INTEGER NOT NULL
);

-- CreateTable
CREATE TABLE "block_use" (
    "block_id" INTEGER NOT NULL,
    "session_id" INTEGER NOT NULL,

    PRIMARY KEY ("block_id", "session_id")
) WITHOUT ROWID;

-- CreateTable
CREATE TABLE "usage_fact" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "call_hash" BLOB NOT NULL,
    "session_id" INTEGER NOT NULL,
    "at" BIGINT,
    "workspace_id" INTEGER NOT NULL,
    "model_id" INTEGER NOT NULL,
    "provider_id" INTEGER NOT NULL,
    "mode_id" INTEGER NOT NULL,
    "agent_id" INTEGER NOT NULL,
    "branch_id" INTEGER NOT NULL,
    "subagent_id" INTEGER NOT NULL,
    "input_tokens" INTEGER NOT NULL,
    "cache_read" INTEGER NOT NULL,
    "cache_write_5m" INTEGER NOT NULL,
    "cache_write_1h" INTEGER NOT NULL,
    "output_tokens" INTEGER NOT NULL,
    "reasoning_tokens" INTEGER NOT NULL,
    "cost_nano" BIGINT,
    "cost_state" INTEGER NOT NULL,
    "cost_cache_read" BIGINT NOT NULL DEFAULT 0,
    "cost_cache_write" BIGINT NOT NULL DEFAULT 0,
    "cost_output" BIGINT NOT NULL DEFAULT 0,
    "saved_nano" BIGINT NOT NULL DEFAULT 0,
    "visible_chars" INTEGER NOT NULL
);

-- CreateTable
CREATE TABLE "usage_quarter" (
    "bucket" INTEGER NOT NULL,
    "session_id" INTEGER NOT NULL,
    "workspace_id" INTEGER NOT NULL,
    "model_id" INTEGER NOT NULL,
    "mode_id" INTEGER NOT NULL,
    "agent_id" INTEGER NOT NULL,
    "branch_id" INTEGER NOT NULL,
    "requests" INTEGER NOT NULL,
    "input_tokens" BIGINT NOT NULL,
    "cache_read" BIGINT NOT NULL,
    "cache_write_5m" BIGINT NOT NULL,
    "cache_write_1h" BIGINT NOT NULL,
    "output_tokens" BIGINT NOT NULL,
    "reasoning_tokens" BIGINT NOT NULL,
    "cost_nano" BIGINT NOT NULL,
    "recorded_nano" BIGINT NOT NULL,
    "cost_cache_read_nano" BIGINT NOT NULL,
    "cost_cache_write_nano" BIGINT NOT NULL,
    "cost_output_nano" BIGINT NOT NULL,
    "saved_nano" BIGINT NOT NULL,
    "unpriced" INTEGER NOT NULL,
    "partial" INTEGER NOT NULL,
    "missing_output" BIGINT NOT NULL,

    PRIMARY KEY ("bucket", "session_id", "workspace_id", "model_id", "mode_id", "agent_id", "branch_id")
) WITHOUT ROWID;

-- CreateTable
CREATE TABLE "usage_day" (
    "day" INTEGER NOT NULL,
    "session_id" INTEGER NOT NULL,
    "workspace_id" INTEGER NOT NULL,
    "model_id" INTEGER NOT NULL,
    "mode_id" INTEGER NOT NULL,
    "agent_id" INTEGER NOT NULL,
    "branch_id" INTEGER NOT NULL,
    "requests" INTEGER NOT NULL,
    "input_tokens" BIGINT NOT NULL,
    "cache_read" BIGINT NOT NULL,
    "cache_write_5m" BIGINT NOT NULL,
    "cache_write_1h" BIGINT NOT NULL,
    "output_tokens" BIGINT NOT NULL,
    "reasoning_tokens" BIGINT NOT NULL,
    "cost_nano" BIGINT NOT NULL,
    "recorded_nano" BIGINT NOT NULL,
    "cost_cache_read_nano" BIGINT NOT NULL,
    "cost_cache_write_nano" BIGINT NOT NULL,
    "cost_output_nano" BIGINT NOT NULL,
    "saved_nano" BIGINT NOT NULL,
    "unpriced" INTEGER NOT NULL,
    "partial" INTEGER NOT NULL,
    "missing_output" BIGINT NOT NULL,

    PRIMARY KEY ("day", "session_id", "workspace_id", "model_id", "mode_id", "agent_id", "branch_id")
) WITHOUT ROWID;

-- CreateTable
CREATE TABLE "usage_margin" (
    "dimension" INTEGER NOT NULL,
    "day" INTEGER NOT NULL,
    "value_id" INTEGER NOT NULL,
    "shard" INTEGER NOT NULL,
    "requests" INTEGER NOT NULL,
    "input_tokens" BIGINT NOT NULL,
    "cache_read" BIGINT NOT NULL,
    "cache_write_5m" BIGINT NOT NULL,
    "cache_write_1h" BIGINT NOT NULL,
    "output_tokens" BIGINT NOT NULL,
    "reasoning_tokens" BIGINT NOT NULL,
    "cost_nano" BIGINT NOT NULL,
    "recorded_nano" BIGINT NOT NULL,
    "cost_cache_read_nano" BIGINT NOT NULL,
    "cost_cache_write_nano" BIGINT NOT NULL,
    "cost_output_nano" BIGINT NOT NULL,
    "saved_nano" BIGINT NOT NULL,
    "unpriced" INTEGER NOT NULL,
    "partial" INTEGER NOT NULL,
    "missing_output" BIGINT NOT NULL,

    PRIMARY KEY ("dimension", "day", "value_id", "shard")
) WITHOUT ROWID;

-- CreateTable
CREATE TABLE "usage_total" (
    "bucket" INTEGER NOT NULL,
    "shard" INTEGER NOT NULL,
    "requests" INTEGER NOT NULL,
    "input_tokens" BIGINT NOT NULL,
    "cache_read" BIGINT NOT NULL,
    "cache_write_5m" BIGINT NOT NULL,
    "cache_write_1h" BIGINT NOT NULL,
    "output_tokens" BIGINT NOT NULL,
    "reasoning_tokens" BIGINT NOT NULL,
    "cost_nano" BIGINT NOT NULL,
    "recorded_nano" BIGINT NOT NULL,
    "cost_cache_read_nano" BIGINT NOT NULL,
    "cost_cache_write_nano" BIGINT NOT NULL,
    "cost_output_nano" BIGINT NOT NULL,
    "saved_nano" BIGINT NOT NULL,
    "unpriced" INTEGER NOT NULL,
    "partial" INTEGER NOT NULL,
    "missing_output" BIGINT NOT NULL,

    PRIMARY KEY ("bucket", "shard")
) WITHOUT ROWID;

-- CreateIndex
CREATE UNIQUE INDEX "imported_file_path_key" ON "imported_file"("path");

-- CreateIndex
CREATE INDEX "source_run_session_id_idx" ON "source_run"("session_id");

-- CreateIndex
CREATE INDEX "source_run_file_id_first_line_idx" ON "source_run"("file_id", "first_line");

-- CreateIndex
CREATE INDEX "import_skip_path_idx" ON "import_skip"("path");

-- CreateIndex
CREATE INDEX "memory_version_entry_id_valid_from_idx" ON "memory_version"("entry_id", "valid_from");

-- CreateIndex
CREATE INDEX "memory_version_workspace_valid_to_idx" ON "memory_version"("workspace", "valid_to");

-- CreateIndex
CREATE INDEX "checkpoint_workspace_at_idx" ON "checkpoint"("workspace", "at");

-- CreateIndex
CREATE UNIQUE INDEX "workspace_path_key" ON "workspace"("path");

-- CreateIndex
CREATE INDEX "workspace_name_idx" ON "workspace"("name");

-- CreateIndex
CREATE UNIQUE INDEX "label_kind_value_key" ON "label"("kind", "value");

-- CreateIndex
CREATE UNIQUE INDEX "session_key_key" ON "session"("key");

-- CreateIndex
CREATE INDEX "session_external_id_idx" ON "session"("external_id");

-- CreateIndex
CREATE INDEX "session_updated_at_idx" ON "session"("updated_at");

-- CreateIndex
CREATE INDEX "session_cost_nano_idx" ON "session"("cost_nano");

-- CreateIndex
CREATE INDEX "session_workspace_id_updated_at_idx" ON "session"("workspace_id", "updated_at");

-- CreateIndex
CREATE UNIQUE INDEX "entry_session_id_seq_key" ON "entry"("session_id", "seq");

-- CreateIndex
CREATE UNIQUE INDEX "entry_session_id_external_id_key" ON "entry"("session_id", "external_id");

-- CreateIndex
CREATE INDEX "pack_session_id_idx" ON "pack"("session_id");

-- CreateIndex
CREATE UNIQUE INDEX "block_hash_key" ON "block"("hash");

-- CreateIndex
CREATE INDEX "block_pack_id_idx" ON "block"("pack_id");

-- CreateIndex
CREATE INDEX "block_use_session_id_idx" ON "block_use"("session_id");

-- CreateIndex
CREATE UNIQUE INDEX "usage_fact_call_hash_key" ON "usage_fact"("call_hash");

-- CreateIndex
CREATE INDEX "usage_fact_session_id_idx" ON "usage_fact"("session_id");

-- CreateIndex
CREATE INDEX "usage_fact_at_idx" ON "usage_fact"("at");

-- CreateIndex
CREATE INDEX "usage_day_session_id_idx" ON "usage_day"("session_id");

-- Written by hand: full-text index without a copy of the text (the models can't say it).
CREATE VIRTUAL TABLE "search_text" USING fts5(text, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2');
