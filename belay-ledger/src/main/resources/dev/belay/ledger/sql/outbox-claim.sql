-- Claims the oldest jobs that nobody is moving, and marks them as being sent.
-- in: namespace; me, hold: for how long; window: how long the broker remembers their keys; limit; offset
-- out: position, queue, id, job, added_at, tries, now, for each job
-- locks: the rows; passes by those that another relay is claiming
-- keeps: when each was first about to be sent
UPDATE belay_outbox
SET sending_at = COALESCE(sending_at, {{now}}), tries = tries + 1, claimed_by = :me, claimed_until = {{now}} + :hold
WHERE position IN (
  SELECT position FROM belay_outbox
  WHERE namespace = :namespace AND problem IS NULL AND (claimed_until IS NULL OR claimed_until <= {{now}})
    AND (sending_at IS NULL
      OR (sending_at > {{now}} - :window AND (own_window IS NULL OR sending_at > {{now}} + :hold - own_window)))
  ORDER BY position LIMIT :limit {{skip-locked}})
RETURNING position, queue, id, job, added_at, tries, {{now}}
