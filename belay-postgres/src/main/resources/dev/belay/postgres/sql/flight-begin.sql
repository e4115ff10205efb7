-- Begins a lease.
-- in: job, now
-- out: one row changed
-- locks: the rows that it changes, until the end of the transaction
-- keeps: everything else
UPDATE belay.flight SET begun_at = :now WHERE job = :job
