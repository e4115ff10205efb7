-- Pauses or resumes a queue.
-- in: queue, paused (1 or 0)
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: everything else of it
UPDATE belay.queue SET paused = :paused WHERE id = :queue
