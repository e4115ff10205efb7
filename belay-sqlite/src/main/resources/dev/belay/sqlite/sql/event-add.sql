-- Adds to a count.
-- in: queue, slice, type, event, n
-- out: nothing
-- locks: the write lock of the transaction around it
-- keeps: one row a count
INSERT INTO event_count (queue, slice, type, event, n) VALUES (:queue, :slice, :type, :event, :n)
ON CONFLICT (queue, slice, type, event) DO UPDATE SET n = n + excluded.n
