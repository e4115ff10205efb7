-- For how long nobody has known a type.
-- in: queue, type, schemaVersion
-- out: milliseconds
-- locks: none: reads a snapshot
-- keeps: everything
SELECT counted FROM belay.unknown_type WHERE queue = :queue AND type = :type AND schema_version = :schemaVersion
