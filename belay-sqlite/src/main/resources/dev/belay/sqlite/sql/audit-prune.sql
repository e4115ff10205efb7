-- Forgets old entries of the audit log.
-- in: namespace, before, limit
-- out: how many
-- locks: the write lock of the transaction around it
-- keeps: later ones
DELETE FROM audit WHERE no IN (
  SELECT no FROM audit INDEXED BY audit_at WHERE namespace = :namespace AND at < :before ORDER BY at LIMIT :limit)
