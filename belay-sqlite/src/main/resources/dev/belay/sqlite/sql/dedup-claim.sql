-- Takes a key for a job that exists.
-- in: queue, type, key, holder, fingerprint, since, ownWindow, onlyWaiting
-- out: nothing
-- locks: the write lock of the transaction around it
-- keeps: one holder a key
INSERT INTO dedup (queue, type, key, holder, fingerprint, since, own_window, only_waiting)
VALUES (:queue, :type, :key, :holder, :fingerprint, :since, :ownWindow, :onlyWaiting)
ON CONFLICT (queue, type, key) DO UPDATE SET holder = excluded.holder, fingerprint = excluded.fingerprint,
  since = excluded.since, orphan = 0, own_window = excluded.own_window, only_waiting = excluded.only_waiting
