-- The newest number below another.
-- in: below
-- out: the number, or null
-- locks: none: reads a snapshot
-- keeps: everything
SELECT max(seq) FROM job WHERE seq < :below
