-- Leaves to a person what may have been sent so long ago that the broker may have forgotten it.
-- in: namespace, window, hold, problem; offset
-- out: how many
-- locks: the rows
-- keeps: the jobs
UPDATE belay_outbox
SET problem = :problem, claimed_by = NULL, claimed_until = NULL
WHERE namespace = :namespace AND problem IS NULL
  AND (sending_at <= {{now}} - :window OR (own_window IS NOT NULL AND sending_at <= {{now}} + :hold - own_window))
  AND (claimed_until IS NULL OR claimed_until <= {{now}})
