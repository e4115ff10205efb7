-- Makes a due job ready, since when it was due.
-- in: seq, line
-- out: one row changed
-- locks: the write lock of the transaction around it
-- keeps: its place, which the caller changes
UPDATE job SET line = :line, at = run_at, ready_at = run_at WHERE seq = :seq
