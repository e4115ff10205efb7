-- Undoes what was done since the savepoint; the savepoint stays.
-- in: nothing
-- out: nothing
-- locks: none beyond those of the transaction
-- keeps: what was done before
ROLLBACK TO belay_call
