-- Sets when the pruner has to look at a job next; null for never.
-- in: job, timer
-- out: one row changed
-- locks: the write lock of the transaction around it
-- keeps: everything else
UPDATE more SET timer = :timer WHERE job = :job
