-- Makes a transaction durable.
-- in: nothing
-- out: nothing
-- locks: gives the write lock back
-- keeps: nothing
COMMIT
