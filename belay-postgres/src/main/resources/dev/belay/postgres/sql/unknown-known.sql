-- Forgets the time of types that somebody knows now.
-- in: queue, type, schemaVersion: up to it
-- out: the versions that it forgot
-- locks: the rows that it changes, until the end of the transaction
-- keeps: others
DELETE FROM belay.unknown_type WHERE queue = :queue AND type = :type AND schema_version <= :schemaVersion RETURNING schema_version
