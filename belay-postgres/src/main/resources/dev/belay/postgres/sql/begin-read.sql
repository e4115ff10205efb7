-- Begins a transaction that reads one state of the store.
-- in: nothing
-- out: nothing
-- locks: none
-- keeps: everything
SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY
