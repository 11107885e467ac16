-- Written by hand: the search index also holds stems of German, French, Spanish and Portuguese; it is made anew at the first need of it.
DELETE FROM "search_tail";
DELETE FROM "search_page";
DELETE FROM "search_segment";
DELETE FROM "search_pending";
INSERT INTO "search_pending" ("session_id", "from_seq", "until_seq") SELECT "id", 0, "next_seq" FROM "session";
