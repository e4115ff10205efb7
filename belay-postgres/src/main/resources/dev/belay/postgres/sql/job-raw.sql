-- The row of a job as it stands, for people: whatever is in it.
-- in: seq
-- out: no row or one
-- locks: none: reads a snapshot
-- keeps: everything
SELECT job.*, m.*, p.bytes AS large_payload
FROM belay.job LEFT JOIN belay.more m ON m.job = seq LEFT JOIN belay.payload p ON p.job = seq WHERE seq = :seq
