-- Removes a cell.
-- in: namespace, key
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: other cells
DELETE FROM belay.cell WHERE namespace = :namespace AND key = :key
