-- Gives jobs places.
-- in: queue; arrays of line, at, job
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: a job stands at one place: the caller has taken the one before
INSERT INTO belay.place (queue, line, at, job)
SELECT :queue, line, at, job FROM unnest(:line::integer[], :at::bigint[], :job::bigint[]) AS t (line, at, job)
