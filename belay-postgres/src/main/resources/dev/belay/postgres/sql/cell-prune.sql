-- Removes cells whose time is over.
-- in: namespace, before: now, limit
-- out: how many
-- locks: the rows that it changes, until the end of the transaction
-- keeps: other cells
DELETE FROM belay.cell WHERE (namespace, key) IN (
  SELECT namespace, key FROM belay.cell
  WHERE namespace = :namespace AND until IS NOT NULL AND until <= :before LIMIT :limit)
