-- Removes the rows of jobs that succeeded and are not kept, once their leases are ended.
-- in: arrays of seq, more: whether it had a row there when it was leased
-- out: the places in the arrays, from 1, of those removed; one that got a row there since goes the long way
-- locks: the rows that it changes, until the end of the transaction
-- keeps: the rest of the job, which the caller removes
DELETE FROM belay.job j USING unnest(:seq::bigint[], :more::integer[]) WITH ORDINALITY AS t (seq, more, n)
WHERE j.seq = t.seq AND j.more = t.more
RETURNING t.n
