-- Notes that the holder of a key has another payload now.
-- in: queue, type, key, holder, fingerprint
-- out: how many
-- locks: the rows that it changes, until the end of the transaction
-- keeps: all else of the key
UPDATE belay.dedup SET fingerprint = :fingerprint WHERE queue = :queue AND type = :type AND key = :key AND holder = :holder
