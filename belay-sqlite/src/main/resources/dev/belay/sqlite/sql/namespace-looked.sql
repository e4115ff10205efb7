-- Notes a look at the sessions.
-- in: namespace, now
-- out: nothing
-- locks: the write lock of the transaction around it
-- keeps: everything else of it
UPDATE namespace SET last_reap_at = :now WHERE id = :namespace
