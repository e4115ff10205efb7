-- Changes the settings of a queue.
-- in: queue; its new settings
-- out: nothing
-- locks: the write lock of the transaction around it
-- keeps: everything else of it
UPDATE queue SET keep_finished = :keepFinished, keep_finished_count = :keepFinishedCount, keep_dead = :keepDead,
  keep_dead_count = :keepDeadCount, keep_dead_bytes = :keepDeadBytes
WHERE id = :queue
