-- Removes a large payload.
-- in: job
-- out: one row changed, or none
-- locks: the write lock of the transaction around it
-- keeps: everything else
DELETE FROM payload WHERE job = :job
