-- Takes a key for a job that exists.
-- in: queue, type, key, holder, fingerprint, since, ownWindow, onlyWaiting
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: one holder a key
INSERT INTO belay.dedup (queue, type, key, holder, fingerprint, since, own_window, only_waiting)
VALUES (:queue, :type, :key, :holder, :fingerprint, :since, :ownWindow, :onlyWaiting)
ON CONFLICT (queue, type, key) DO UPDATE SET holder = excluded.holder, fingerprint = excluded.fingerprint,
  since = excluded.since, orphan = 0, own_window = excluded.own_window, only_waiting = excluded.only_waiting
