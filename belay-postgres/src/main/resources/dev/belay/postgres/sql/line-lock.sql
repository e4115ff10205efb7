-- Locks the first places of a line, behind one.
-- in: queue, line; at and job of the place behind which to begin; limit
-- out: one row a place: job, at, where the row is
-- locks: the places, until the end of the transaction; leaves out what others have locked
-- keeps: everything
SELECT job, at, ctid FROM belay.place
WHERE queue = :queue AND line = :line AND (at, job) > (:at, :job) ORDER BY at, job LIMIT :limit FOR UPDATE SKIP LOCKED
