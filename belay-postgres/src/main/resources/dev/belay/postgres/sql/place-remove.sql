-- Takes the places of jobs.
-- in: queue; arrays of line, at, job
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: the places of others
DELETE FROM belay.place p USING unnest(:line::integer[], :at::bigint[], :job::bigint[]) AS t (line, at, job)
WHERE p.queue = :queue AND p.line = t.line AND p.at = t.at AND p.job = t.job
