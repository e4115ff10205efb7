-- Forgets calls of clients that have long been silent.
-- in: queue, before, limit
-- out: how many
-- locks: the write lock of the transaction around it
-- keeps: later ones
DELETE FROM client_call WHERE (client, queue) IN (
  SELECT client, queue FROM client_call WHERE queue = :queue AND at < :before LIMIT :limit)
