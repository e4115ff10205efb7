-- Draws the next version of a cell.
-- in: namespace
-- out: the version
-- locks: the rows that it changes, until the end of the transaction
-- keeps: versions grow
UPDATE belay.namespace SET cell_version = cell_version + 1 WHERE id = :namespace RETURNING cell_version
