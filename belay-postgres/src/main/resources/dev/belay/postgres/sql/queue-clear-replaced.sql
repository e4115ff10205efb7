-- Forgets the rows of a removed queue in one table.
-- in: queue
-- out: how many
-- locks: the rows that it changes, until the end of the transaction
-- keeps: the rows of other queues
DELETE FROM belay.replaced WHERE queue = :queue
