-- The heads of the lines of a queue: the first place in each of the lines 0 to 16, null where it is empty; then how
--   many suspects are ready, counted up to two.
-- in: queue
-- out: one row of 18 columns, and how many microseconds it took to find them
-- locks: none: reads a snapshot
-- keeps: everything
{{heads-row}}
FROM (SELECT :queue::bigint AS id, array_fill('-9223372036854775808'::bigint, ARRAY[17]) AS at) q
