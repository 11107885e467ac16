-- Written by hand: adding columns with a constant default costs nothing, whatever the store holds.
ALTER TABLE "session" ADD COLUMN "unsynced" INTEGER NOT NULL DEFAULT 1;
ALTER TABLE "session" ADD COLUMN "unsynced_from" INTEGER DEFAULT 0;
ALTER TABLE "session" ADD COLUMN "synced_entries" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "session" ADD COLUMN "shared" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "session" ADD COLUMN "machine_id" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "deleted_session" ADD COLUMN "withdraw" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "machine" (
    "id" SERIAL NOT NULL,
    "key" TEXT NOT NULL,
    "name" TEXT,
    "person" TEXT,
    "synced_at" BIGINT NOT NULL,

    CONSTRAINT "machine_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "machine_key_key" ON "machine"("key");

-- CreateIndex
CREATE INDEX "session_unsynced_idx" ON "session"("unsynced");
