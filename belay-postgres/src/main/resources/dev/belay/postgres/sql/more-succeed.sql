-- What a success changes beside the job's row: its type is known after all, and its own retention begins.
-- in: arrays of job, timer: when the pruner has to look; null for never
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: everything else
UPDATE belay.more m SET timer = t.timer, unknown_since = NULL
FROM unnest(:job::bigint[], :timer::bigint[]) AS t (job, timer) WHERE m.job = t.job
