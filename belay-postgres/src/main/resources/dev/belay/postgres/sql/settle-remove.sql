-- Removes the rows of jobs that succeeded and are not kept, once their leases are ended.
-- in: arrays of seq, more: whether it had a row there when it was leased
-- out: those removed; one that got a row there since goes the long way
-- locks: the rows that it changes, until the end of the transaction
-- keeps: the rest of the job, which the caller removes
DELETE FROM belay.job
WHERE seq = ANY(:seq::bigint[]) AND more = (:more::integer[])[array_position(:seq::bigint[], seq)]
RETURNING seq
