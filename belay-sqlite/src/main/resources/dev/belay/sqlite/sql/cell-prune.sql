-- Removes cells whose time is over.
-- in: namespace, before: now, limit
-- out: how many
-- locks: the write lock of the transaction around it
-- keeps: other cells
DELETE FROM cell WHERE (namespace, key) IN (
  SELECT namespace, key FROM cell INDEXED BY cell_until
  WHERE namespace = :namespace AND until IS NOT NULL AND until <= :before LIMIT :limit)
