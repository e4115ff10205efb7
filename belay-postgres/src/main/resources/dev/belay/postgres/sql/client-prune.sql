-- Forgets calls of clients that have long been silent.
-- in: queue, before, limit
-- out: how many
-- locks: the rows that it changes, until the end of the transaction
-- keeps: later ones
DELETE FROM belay.client_call WHERE (client, queue) IN (
  SELECT client, queue FROM belay.client_call WHERE queue = :queue AND at < :before LIMIT :limit FOR UPDATE SKIP LOCKED)
