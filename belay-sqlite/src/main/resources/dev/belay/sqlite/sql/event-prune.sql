-- Forgets old slices of counts; the sums of all time hold them.
-- in: queue, before: the first slice that is kept
-- out: how many
-- locks: the write lock of the transaction around it
-- keeps: the sums
DELETE FROM event_count WHERE queue = :queue AND slice >= 0 AND slice < :before
