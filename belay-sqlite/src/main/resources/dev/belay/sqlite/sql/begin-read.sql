-- Begins a transaction that reads one state of the store.
-- in: nothing
-- out: nothing
-- locks: none: reads a snapshot
-- keeps: everything
BEGIN
