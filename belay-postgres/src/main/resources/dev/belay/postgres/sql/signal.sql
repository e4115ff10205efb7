-- Tells other processes that a queue has work, unless somebody else is just telling it.
-- in: slot: the name of the queue's slot, channel, message
-- out: a row where it was told
-- locks: an advisory lock on the slot, until the end of the transaction; waits for nobody
-- keeps: a hint only: who was not told finds it by polling
SELECT pg_notify(:channel, :message) WHERE pg_try_advisory_xact_lock(hashtextextended(:slot, 0))
