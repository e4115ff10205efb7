-- Registers a session.
-- in: id, queue and the rest of its row
-- out: its number; no row where the id was used before
-- locks: the rows that it changes, until the end of the transaction
-- keeps: no id twice
INSERT INTO belay.session (id, queue, worker, version, slots, lease_duration, registered_at, deadline)
VALUES (:id, :queue, :worker, :version, :slots, :leaseDuration, :now, :deadline)
ON CONFLICT (id) DO NOTHING
RETURNING no
