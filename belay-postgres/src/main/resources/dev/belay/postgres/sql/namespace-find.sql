-- The number of a namespace.
-- in: name
-- out: its number
-- locks: none: reads a snapshot
-- keeps: everything
SELECT id FROM belay.namespace WHERE name = :name
