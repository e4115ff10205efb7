-- How the file is written.
-- in: nothing
-- out: the journal mode
-- locks: none
-- keeps: everything
PRAGMA journal_mode
