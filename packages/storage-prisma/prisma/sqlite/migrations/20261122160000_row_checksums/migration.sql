-- AlterTable
ALTER TABLE "session" ADD COLUMN "checksum" INTEGER;
ALTER TABLE "usage_fact" ADD COLUMN "checksum" INTEGER;
ALTER TABLE "imported_file" ADD COLUMN "checksum" INTEGER;
ALTER TABLE "import_skip" ADD COLUMN "checksum" INTEGER;
ALTER TABLE "state" ADD COLUMN "checksum" INTEGER;
ALTER TABLE "note_version" ADD COLUMN "checksum" INTEGER;
ALTER TABLE "memory_version" ADD COLUMN "checksum" INTEGER;
ALTER TABLE "checkpoint" ADD COLUMN "checksum" INTEGER;
