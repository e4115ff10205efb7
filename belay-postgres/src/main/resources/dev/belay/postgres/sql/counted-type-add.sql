-- Counts a type by name from now on.
-- in: queue, type
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: everything else
INSERT INTO belay.counted_type (queue, type) VALUES (:queue, :type) ON CONFLICT DO NOTHING
