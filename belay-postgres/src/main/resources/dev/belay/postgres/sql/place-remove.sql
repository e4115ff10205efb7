-- Takes the places of jobs.
-- in: queue; arrays of line, at, job
-- out: nothing
-- locks: the places, which the caller has locked
-- keeps: the places of others
DELETE FROM belay.place WHERE ctid = ANY(ARRAY(
  SELECT it.ctid FROM unnest(:line::integer[], :at::bigint[], :job::bigint[]) AS t (line, at, job)
  CROSS JOIN LATERAL (
    SELECT p.ctid FROM belay.place p
    WHERE p.queue = :queue AND p.line = t.line AND p.at = t.at AND p.job = t.job LIMIT 1) it))
