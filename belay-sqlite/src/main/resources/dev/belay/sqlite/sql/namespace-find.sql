-- The number of a namespace.
-- in: name
-- out: its number
-- locks: none: reads a snapshot
-- keeps: everything
SELECT id FROM namespace WHERE name = :name
