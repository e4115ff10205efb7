-- The heads of the lines of a queue: the first place in each of the lines 0 to 16, null where it is empty; then how
--   many suspects are ready, counted up to two.
-- in: queue
-- out: one row of 18 columns
-- locks: none: reads a snapshot
-- keeps: everything
{{heads-row}}
FROM (SELECT :queue::bigint AS id) q
