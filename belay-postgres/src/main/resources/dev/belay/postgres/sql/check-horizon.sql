-- How long the oldest open transaction of the database has lasted, as far as the role may see it.
-- in: nothing
-- out: seconds
-- locks: none
-- keeps: everything
SELECT coalesce(max(extract(epoch FROM now() - xact_start)), 0)::bigint FROM pg_stat_activity WHERE datname = current_database()
