-- Locks a name together with others that do so: nobody holds it alone meanwhile.
-- in: name
-- out: nothing
-- locks: a shared advisory lock on the name, until the end of the transaction
-- keeps: everything
SELECT 1 FROM pg_advisory_xact_lock_shared(hashtextextended(:name, 0))
