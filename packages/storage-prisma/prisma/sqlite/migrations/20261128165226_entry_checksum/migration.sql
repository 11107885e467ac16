-- AlterTable
ALTER TABLE "entry" ADD COLUMN "checksum" INTEGER;
