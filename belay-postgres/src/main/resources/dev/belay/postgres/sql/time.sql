-- The time.
-- in: offset: milliseconds to add to the clock, 0 outside of tests
-- out: epoch milliseconds
-- locks: none
-- keeps: everything
SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint + :offset
