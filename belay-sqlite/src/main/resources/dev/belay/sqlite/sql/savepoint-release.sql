-- Makes what was done since the savepoint a part of the transaction around it.
-- in: nothing
-- out: nothing
-- locks: none beyond those of the transaction
-- keeps: everything
RELEASE belay_call
