-- Notes which job took the place of another.
-- in: queue, id, successor, now
-- out: nothing
-- locks: the write lock of the transaction around it
-- keeps: the newest successor
INSERT INTO replaced (queue, id, successor, at) VALUES (:queue, :id, :successor, :now)
ON CONFLICT (queue, id) DO UPDATE SET successor = excluded.successor, at = excluded.at
