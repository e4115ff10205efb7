-- Leaves a key to its window, as its job is gone.
-- in: queue, type, key, holder
-- out: how many
-- locks: the write lock of the transaction around it
-- keeps: the keys of others
UPDATE dedup SET orphan = 1 WHERE queue = :queue AND type = :type AND key = :key AND holder = :holder
