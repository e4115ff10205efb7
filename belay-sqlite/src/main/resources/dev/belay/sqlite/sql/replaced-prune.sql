-- Forgets old replacements.
-- in: queue, before, limit
-- out: how many
-- locks: the write lock of the transaction around it
-- keeps: later ones
DELETE FROM replaced WHERE (queue, id) IN (
  SELECT queue, id FROM replaced INDEXED BY replaced_at WHERE queue = :queue AND at < :before LIMIT :limit)
