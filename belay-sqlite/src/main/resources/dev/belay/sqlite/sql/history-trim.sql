-- Removes the oldest entries.
-- in: job, upTo
-- out: how many
-- locks: the write lock of the transaction around it
-- keeps: later ones
DELETE FROM history WHERE job = :job AND n <= :upTo
