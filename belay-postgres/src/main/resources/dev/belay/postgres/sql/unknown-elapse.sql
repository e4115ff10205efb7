-- Adds time to the types that nobody knows, in queues that somebody serves.
-- in: namespace, millis
-- out: how many
-- locks: the rows that it changes, until the end of the transaction
-- keeps: types that a live session knows stay as they are
UPDATE belay.unknown_type SET counted = counted + :millis
WHERE queue IN (SELECT id FROM belay.queue WHERE namespace = :namespace)
  AND EXISTS (SELECT 1 FROM belay.session s WHERE s.queue = unknown_type.queue AND s.stage = 0)
  AND NOT EXISTS (
    SELECT 1 FROM belay.session s JOIN belay.session_type t ON t.session = s.no
    WHERE s.queue = unknown_type.queue AND s.stage = 0 AND t.type = unknown_type.type
      AND t.schema_version >= unknown_type.schema_version)
