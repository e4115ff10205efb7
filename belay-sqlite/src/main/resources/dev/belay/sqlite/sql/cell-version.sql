-- Draws the next version of a cell.
-- in: namespace
-- out: the version
-- locks: the write lock of the transaction around it
-- keeps: versions grow
UPDATE namespace SET cell_version = cell_version + 1 WHERE id = :namespace RETURNING cell_version
