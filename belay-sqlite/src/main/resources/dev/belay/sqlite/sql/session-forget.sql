-- Forgets the ids of sessions that have long been gone.
-- in: namespace, before, limit
-- out: how many
-- locks: the write lock of the transaction around it
-- keeps: ids used later than before
DELETE FROM session WHERE no IN (
  SELECT s.no FROM queue q JOIN session s INDEXED BY session_queue ON s.queue = q.id
  WHERE q.namespace = :namespace AND s.stage = 2 AND s.registered_at < :before LIMIT :limit)
