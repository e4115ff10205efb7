-- Forgets old entries of the audit log.
-- in: namespace, before, limit
-- out: how many
-- locks: the rows that it changes, until the end of the transaction
-- keeps: later ones
DELETE FROM belay.audit WHERE no IN (
  SELECT no FROM belay.audit WHERE namespace = :namespace AND at < :before ORDER BY at LIMIT :limit)
