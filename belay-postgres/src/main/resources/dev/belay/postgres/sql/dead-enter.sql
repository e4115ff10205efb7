-- Counts a new dead letter in its group.
-- in: queue, type, fingerprint, reason, errorClass, message, at
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: counts equal to the dead letters of the group; what is shown is of the newest
INSERT INTO belay.dead_group (queue, type, fingerprint, reason, error_class, message, count, first_seen, last_seen)
VALUES (:queue, :type, :fingerprint, :reason, :errorClass, :message, 1, :at, :at)
ON CONFLICT (queue, type, fingerprint) DO UPDATE SET count = dead_group.count + 1, reason = excluded.reason,
  error_class = excluded.error_class, message = excluded.message, last_seen = greatest(dead_group.last_seen, excluded.last_seen)
