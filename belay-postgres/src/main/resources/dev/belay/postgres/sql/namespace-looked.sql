-- Notes a look at the sessions.
-- in: namespace, now
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: everything else of it
UPDATE belay.namespace SET last_reap_at = :now WHERE id = :namespace
