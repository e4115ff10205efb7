-- Begins a lease.
-- in: seq, now
-- out: one row changed
-- locks: the write lock of the transaction around it
-- keeps: everything else
UPDATE job SET begun_at = :now WHERE seq = :seq
