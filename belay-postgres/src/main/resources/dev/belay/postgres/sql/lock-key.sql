-- Locks a name: only one transaction holds it at a time.
-- in: name
-- out: nothing
-- locks: an advisory lock on the name, until the end of the transaction
-- keeps: everything
SELECT 1 FROM pg_advisory_xact_lock(hashtextextended(:name, 0))
