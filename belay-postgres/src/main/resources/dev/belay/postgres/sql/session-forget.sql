-- Forgets the ids of sessions that have long been gone.
-- in: namespace, before, limit
-- out: how many
-- locks: the rows that it changes, until the end of the transaction
-- keeps: ids used later than before
DELETE FROM belay.session WHERE no IN (
  SELECT s.no FROM belay.queue q JOIN belay.session s ON s.queue = q.id
  WHERE q.namespace = :namespace AND s.stage = 2 AND s.registered_at < :before LIMIT :limit)
