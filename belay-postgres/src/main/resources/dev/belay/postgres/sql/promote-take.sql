-- Makes due jobs ready, since when they were due.
-- in: arrays of seq, line
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: its place, which the caller changes
UPDATE belay.job j SET line = t.line, at = run_at, ready_at = run_at
FROM unnest(:seq::bigint[], :line::integer[]) AS t (seq, line) WHERE j.seq = t.seq
