-- Takes old slices of times away, to be summed up.
-- in: queue, before: the first slice that is kept
-- out: type, kind, histogram of each
-- locks: the rows that it changes, until the end of the transaction
-- keeps: the sums
DELETE FROM belay.times WHERE queue = :queue AND slice >= 0 AND slice < :before RETURNING type, kind, histogram
