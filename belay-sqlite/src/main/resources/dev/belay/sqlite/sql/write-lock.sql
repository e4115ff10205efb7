-- Takes the write lock for a transaction that has not written yet, before it reads anything: what it reads from then on is
-- what it will change.
-- in: nothing
-- out: nothing
-- locks: the write lock of the file, until the transaction ends
-- keeps: everything: it matches no row
UPDATE namespace SET id = id WHERE id < 0
