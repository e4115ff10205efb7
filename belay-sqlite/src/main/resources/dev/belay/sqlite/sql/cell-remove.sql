-- Removes a cell.
-- in: namespace, key
-- out: nothing
-- locks: the write lock of the transaction around it
-- keeps: other cells
DELETE FROM cell WHERE namespace = :namespace AND key = :key
