-- Notes a type that a session knows.
-- in: session, type, schemaVersion
-- out: nothing
-- locks: the write lock of the transaction around it
-- keeps: everything else
INSERT INTO session_type (session, type, schema_version) VALUES (:session, :type, :schemaVersion)
