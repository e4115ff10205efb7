-- Notes a type that a session knows.
-- in: session, type, schemaVersion
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: everything else
INSERT INTO belay.session_type (session, type, schema_version) VALUES (:session, :type, :schemaVersion)
