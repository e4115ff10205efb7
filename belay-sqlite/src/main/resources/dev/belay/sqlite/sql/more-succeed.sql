-- What a success changes beside the job's row: its type is known after all, and its own retention begins.
-- in: job, timer: when the pruner has to look; null for never
-- out: one row changed
-- locks: the write lock of the transaction around it
-- keeps: everything else
UPDATE more SET timer = :timer, unknown_since = NULL WHERE job = :job
