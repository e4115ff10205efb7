-- Forgets old replacements.
-- in: queue, before, limit
-- out: how many
-- locks: the rows that it changes, until the end of the transaction
-- keeps: later ones
DELETE FROM belay.replaced WHERE (queue, id) IN (
  SELECT queue, id FROM belay.replaced WHERE queue = :queue AND at < :before LIMIT :limit)
