-- Frees a key, if this job holds it.
-- in: queue, type, key, holder
-- out: how many
-- locks: the write lock of the transaction around it
-- keeps: the keys of others
DELETE FROM dedup WHERE queue = :queue AND type = :type AND key = :key AND holder = :holder AND orphan = 0
