-- The live sessions in the file, of whatever namespace.
-- in: nothing
-- out: one row a session: id
-- locks: none: reads a snapshot
-- keeps: everything
SELECT id FROM session WHERE stage = 0
