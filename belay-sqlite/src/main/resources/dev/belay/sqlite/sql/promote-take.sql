-- Puts a due job into line, at the place of when it was due.
-- in: seq, line
-- out: one row changed
-- locks: the write lock of the transaction around it
-- keeps: a job stands in one line
UPDATE job SET line = :line, at = run_at, ready_at = run_at WHERE seq = :seq
