-- The types that a session knows.
-- in: session
-- out: one row a type: type, version
-- locks: none: reads a snapshot
-- keeps: everything
SELECT type, schema_version FROM belay.session_type WHERE session = :session
