-- Counts a dead letter that is none any more.
-- in: queue, type, fingerprint
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: counts equal to the dead letters of the group
UPDATE belay.dead_group SET count = count - 1 WHERE queue = :queue AND type = :type AND fingerprint = :fingerprint
