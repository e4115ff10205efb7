-- Locks a name if nobody else holds it.
-- in: name
-- out: whether it is locked now
-- locks: an advisory lock on the name, until the end of the transaction
-- keeps: everything
SELECT pg_try_advisory_xact_lock(hashtextextended(:name, 0))::integer
