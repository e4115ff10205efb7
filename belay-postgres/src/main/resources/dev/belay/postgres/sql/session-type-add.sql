-- Notes the types that a session knows.
-- in: session; arrays of type, schemaVersion
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: everything else
INSERT INTO belay.session_type (session, type, schema_version)
SELECT :session, type, version FROM unnest(:type::text[], :schemaVersion::integer[]) AS t (type, version)
