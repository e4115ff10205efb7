-- Which store this is, and on which server: a copy of a database has the same id.
-- in: nothing
-- out: a text that no other store has, until the server is started anew
-- locks: none: reads a snapshot
-- keeps: everything
SELECT id || ' ' || current_database() || ' ' || pg_postmaster_start_time() FROM belay.store
