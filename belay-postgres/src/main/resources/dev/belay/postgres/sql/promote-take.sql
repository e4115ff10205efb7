-- Makes due jobs ready, since when they were due.
-- in: arrays of seq, line
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: its place, which the caller changes
UPDATE belay.job SET line = (:line::integer[])[array_position(:seq::bigint[], seq)], at = run_at, ready_at = run_at
WHERE seq = ANY(:seq::bigint[])
