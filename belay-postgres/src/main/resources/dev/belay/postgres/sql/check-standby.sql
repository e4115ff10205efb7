-- Whether the server is a standby.
-- in: nothing
-- out: 1 or 0
-- locks: none
-- keeps: everything
SELECT pg_is_in_recovery()::integer
