-- All queues, known or not.
-- in: namespace
-- out: one row a queue
-- locks: none: reads a snapshot
-- keeps: everything
SELECT {{queue-counts}}
WHERE q.namespace = :namespace ORDER BY q.name
