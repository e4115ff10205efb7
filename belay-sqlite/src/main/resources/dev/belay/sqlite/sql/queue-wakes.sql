-- How often each queue was woken: what a watcher compares.
-- in: namespace
-- out: one row a queue: number, name, wakes
-- locks: none: reads a snapshot
-- keeps: everything
SELECT id, name, wake FROM queue WHERE namespace = :namespace
