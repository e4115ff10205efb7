-- Makes a due job ready, since when it was due.
-- in: seq, line
-- out: one row changed
-- locks: the rows that it changes, until the end of the transaction
-- keeps: its place, which the caller changes
UPDATE belay.job SET line = :line, at = run_at, ready_at = run_at WHERE seq = :seq
