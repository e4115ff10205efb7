-- Locks names, in an order that all keep, so that no two transactions wait for each other: only one holds a name at a time.
-- in: names: an array
-- out: one row a lock
-- locks: an advisory lock on each name, until the end of the transaction
-- keeps: everything
SELECT pg_advisory_xact_lock(number) FROM (
  SELECT DISTINCT hashtextextended(name, 0) AS number FROM unnest(:names::text[]) AS n (name) ORDER BY number) sorted
