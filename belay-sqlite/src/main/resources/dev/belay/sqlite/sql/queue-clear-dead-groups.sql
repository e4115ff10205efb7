-- Forgets the rows of a removed queue in one table.
-- in: queue
-- out: how many
-- locks: the write lock of the transaction around it
-- keeps: the rows of other queues
DELETE FROM dead_group WHERE queue = :queue
