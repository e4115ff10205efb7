-- Leaves a key to its window, as its job is gone.
-- in: queue, type, key, holder
-- out: how many
-- locks: the write lock of the transaction around it
-- keeps: the keys of others
UPDATE dedup SET orphan = CASE WHEN own_window IS NULL THEN 1 ELSE 2 END
WHERE queue = :queue AND type = :type AND key = :key AND holder = :holder
