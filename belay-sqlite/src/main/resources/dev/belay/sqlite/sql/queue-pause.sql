-- Pauses or resumes a queue.
-- in: queue, paused (1 or 0)
-- out: nothing
-- locks: the write lock of the transaction around it
-- keeps: everything else of it
UPDATE queue SET paused = :paused WHERE id = :queue
