-- Notes that the holder of a key has another payload now.
-- in: queue, type, key, holder, fingerprint
-- out: how many
-- locks: the write lock of the transaction around it
-- keeps: all else of the key
UPDATE dedup SET fingerprint = :fingerprint WHERE queue = :queue AND type = :type AND key = :key AND holder = :holder
