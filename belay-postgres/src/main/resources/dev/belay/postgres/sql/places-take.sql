-- Takes places.
-- in: queue; arrays of line, at, job
-- out: how many
-- locks: the places, which the caller has locked
-- keeps: other places
DELETE FROM belay.place p USING unnest(:line::integer[], :at::bigint[], :job::bigint[]) AS t (line, at, job)
WHERE p.queue = :queue AND p.line = t.line AND p.at = t.at AND p.job = t.job
