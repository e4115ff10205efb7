-- Takes a key for a job that exists.
-- in: queue, type, key, holder, fingerprint, since
-- out: nothing
-- locks: the write lock of the transaction around it
-- keeps: one holder a key
INSERT INTO dedup (queue, type, key, holder, fingerprint, since) VALUES (:queue, :type, :key, :holder, :fingerprint, :since)
ON CONFLICT (queue, type, key) DO UPDATE SET holder = excluded.holder, fingerprint = excluded.fingerprint,
  since = excluded.since, orphan = 0
