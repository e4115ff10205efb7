-- All known queues, in order of names.
-- in: namespace
-- out: one row a queue
-- locks: none: reads a snapshot
-- keeps: everything
SELECT {{queue-counts}}
WHERE q.namespace = :namespace AND q.known = 1 ORDER BY q.name
