CREATE TABLE "clean_up" (
    "id" INTEGER NOT NULL PRIMARY KEY,
    "at" BIGINT NOT NULL,
    "removed_names" INTEGER NOT NULL,
    "report" TEXT NOT NULL
);
INSERT INTO "clean_up" ("id", "at", "removed_names", "report") VALUES (1, 0, 0, '');

CREATE TABLE "health_sample" (
    "bucket" INTEGER NOT NULL PRIMARY KEY,
    "data" TEXT NOT NULL
);
