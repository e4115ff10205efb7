-- Counts a type by name from now on.
-- in: queue, type
-- out: nothing
-- locks: the write lock of the transaction around it
-- keeps: everything else
INSERT INTO counted_type (queue, type) VALUES (:queue, :type) ON CONFLICT DO NOTHING
