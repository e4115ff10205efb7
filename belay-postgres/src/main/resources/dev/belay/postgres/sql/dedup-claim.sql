-- Takes keys for jobs that exist.
-- in: queue; arrays of type, key, holder, fingerprint, since, ownWindow, onlyWaiting; no key twice
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: one holder a key
INSERT INTO belay.dedup (queue, type, key, holder, fingerprint, since, own_window, only_waiting)
SELECT :queue, * FROM unnest(:type::text[], :key::text[], :holder::bytea[], :fingerprint::bytea[], :since::bigint[],
  :ownWindow::bigint[], :onlyWaiting::integer[])
ON CONFLICT (queue, type, key) DO UPDATE SET holder = excluded.holder, fingerprint = excluded.fingerprint,
  since = excluded.since, orphan = 0, own_window = excluded.own_window, only_waiting = excluded.only_waiting
