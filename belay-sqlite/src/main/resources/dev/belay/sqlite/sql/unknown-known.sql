-- Forgets the time of types that somebody knows now.
-- in: queue, type, schemaVersion: up to it
-- out: the versions that it forgot
-- locks: the write lock of the transaction around it
-- keeps: others
DELETE FROM unknown_type WHERE queue = :queue AND type = :type AND schema_version <= :schemaVersion RETURNING schema_version
