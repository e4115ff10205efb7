-- What a success changes beside the job's row: its type is known after all, and its own retention begins.
-- in: job, timer: when the pruner has to look; null for never
-- out: one row changed
-- locks: the rows that it changes, until the end of the transaction
-- keeps: everything else
UPDATE belay.more SET timer = :timer, unknown_since = NULL WHERE job = :job
