-- Forgets kinds without dead letters that were last seen long ago.
-- in: queue, before, limit
-- out: how many
-- locks: the rows that it changes, until the end of the transaction
-- keeps: kinds with dead letters
DELETE FROM belay.dead_group WHERE (queue, type, fingerprint) IN (
  SELECT queue, type, fingerprint FROM belay.dead_group
  WHERE queue = :queue AND count <= 0 AND last_seen < :before LIMIT :limit)
