-- Makes an empty queue unknown, with the default settings for its next life.
-- in: queue; the default settings
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: its tokens, keys and numbered calls: nothing may come twice
UPDATE belay.queue SET known = 0, paused = 0, keep_finished = :keepFinished, keep_finished_count = :keepFinishedCount,
  keep_dead = NULL, keep_dead_count = NULL, keep_dead_bytes = NULL
WHERE id = :queue
