-- Changes the settings of a queue.
-- in: queue; its new settings
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: everything else of it
UPDATE belay.queue SET keep_finished = :keepFinished, keep_finished_count = :keepFinishedCount, keep_dead = :keepDead,
  keep_dead_count = :keepDeadCount, keep_dead_bytes = :keepDeadBytes
WHERE id = :queue
