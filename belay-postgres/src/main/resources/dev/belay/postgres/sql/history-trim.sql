-- Removes the oldest entries.
-- in: job, upTo
-- out: how many
-- locks: the rows that it changes, until the end of the transaction
-- keeps: later ones
DELETE FROM belay.history WHERE job = :job AND n <= :upTo
