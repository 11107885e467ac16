-- Written by hand: adding columns with a constant default costs nothing, whatever the store holds.
ALTER TABLE "workspace" ADD COLUMN "finding" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "workspace" ADD COLUMN "remote" TEXT;
ALTER TABLE "workspace" ADD COLUMN "chosen_project" TEXT;
ALTER TABLE "workspace" ADD COLUMN "sent_project" TEXT;
ALTER TABLE "machine" ADD COLUMN "person_key" TEXT;
ALTER TABLE "machine" ADD COLUMN "owner" TEXT;
