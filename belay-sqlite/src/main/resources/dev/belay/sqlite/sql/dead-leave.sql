-- Counts a dead letter that is none any more.
-- in: queue, type, fingerprint
-- out: nothing
-- locks: the write lock of the transaction around it
-- keeps: counts equal to the dead letters of the group
UPDATE dead_group SET count = count - 1 WHERE queue = :queue AND type = :type AND fingerprint = :fingerprint
