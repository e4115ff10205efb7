-- Notes which job took the place of another.
-- in: queue, id, successor, now
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: the newest successor
INSERT INTO belay.replaced (queue, id, successor, at) VALUES (:queue, :id, :successor, :now)
ON CONFLICT (queue, id) DO UPDATE SET successor = excluded.successor, at = excluded.at
