-- Begins a lease.
-- in: job, now
-- out: one row changed
-- locks: the write lock of the transaction around it
-- keeps: everything else
UPDATE flight SET begun_at = :now WHERE job = :job
