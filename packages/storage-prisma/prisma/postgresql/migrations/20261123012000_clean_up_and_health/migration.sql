CREATE TABLE "clean_up" (
    "id" INTEGER NOT NULL,
    "at" BIGINT NOT NULL,
    "removed_names" INTEGER NOT NULL,
    "report" TEXT NOT NULL,

    CONSTRAINT "clean_up_pkey" PRIMARY KEY ("id")
);
INSERT INTO "clean_up" ("id", "at", "removed_names", "report") VALUES (1, 0, 0, '');

CREATE TABLE "health_sample" (
    "bucket" INTEGER NOT NULL,
    "data" TEXT NOT NULL,

    CONSTRAINT "health_sample_pkey" PRIMARY KEY ("bucket")
);
