-- A number that changes when another connection commits.
-- in: nothing
-- out: the number
-- locks: none
-- keeps: everything
PRAGMA data_version
