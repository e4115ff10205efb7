-- What a success changes beside the job's row: its type is known after all, and its own retention begins.
-- in: arrays of job, timer: when the pruner has to look; null for never
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: everything else
UPDATE belay.more SET timer = (:timer::bigint[])[array_position(:job::bigint[], job)], unknown_since = NULL
WHERE job = ANY(:job::bigint[])
