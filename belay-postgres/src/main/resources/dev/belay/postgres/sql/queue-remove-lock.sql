-- Locks a queue that is about to be removed, unless a transaction is about to use it.
-- in: queue
-- out: whether it is locked now
-- locks: an advisory lock on the queue, until the end of the transaction
-- keeps: everything
SELECT pg_try_advisory_xact_lock(hashtextextended('belay queue ' || :queue::bigint, 0))::integer
