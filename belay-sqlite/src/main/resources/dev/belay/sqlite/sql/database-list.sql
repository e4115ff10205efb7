-- Which files a connection has open.
-- in: nothing
-- out: one row a file: number, name ("main" for the one that it was opened with), path
-- locks: none: begins no transaction, so a transaction that has read nothing still has
-- keeps: everything
PRAGMA database_list
