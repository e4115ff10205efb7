-- Begins to count for how long nobody has known a type.
-- in: queue, type, schemaVersion
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: the time that was counted before
INSERT INTO belay.unknown_type (queue, type, schema_version, counted)
VALUES (:queue, :type, :schemaVersion, 0)
ON CONFLICT (queue, type, schema_version) DO NOTHING
