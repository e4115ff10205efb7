-- Begins what can be undone by itself within a transaction of a caller.
-- in: nothing
-- out: nothing
-- locks: none beyond those of the transaction
-- keeps: everything
SAVEPOINT belay_call
