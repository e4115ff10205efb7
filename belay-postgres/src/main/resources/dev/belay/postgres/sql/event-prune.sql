-- Forgets old slices of counts; the sums of all time hold them.
-- in: queue, before: the first slice that is kept
-- out: how many
-- locks: the rows that it changes, until the end of the transaction
-- keeps: the sums
DELETE FROM belay.event_count WHERE queue = :queue AND slice >= 0 AND slice < :before
