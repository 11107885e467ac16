ALTER TABLE "request_failure" ADD COLUMN "checksum" INTEGER;
