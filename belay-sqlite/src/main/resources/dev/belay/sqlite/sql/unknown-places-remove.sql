-- Takes their places among the unknown.
-- in: queue
-- out: how many
-- locks: the write lock of the transaction around it
-- keeps: the places of others
DELETE FROM place WHERE queue = :queue AND line = 16
  AND EXISTS (SELECT 1 FROM job WHERE seq = place.job AND job.line = 15)
