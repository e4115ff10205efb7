-- The newest time that is stored.
-- in: nothing
-- out: epoch milliseconds
-- locks: none: reads a snapshot
-- keeps: everything
SELECT max((SELECT coalesce(max(seq), 0) >> 20 FROM job), (SELECT coalesce(max(last_reap_at), 0) FROM namespace))
