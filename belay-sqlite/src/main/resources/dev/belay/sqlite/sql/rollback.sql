-- Undoes a transaction.
-- in: nothing
-- out: nothing
-- locks: gives the locks back
-- keeps: everything
ROLLBACK
