-- Takes the first places of a line, up to one.
-- in: queue, line; at and job of the last that is taken
-- out: how many
-- locks: the write lock of the transaction around it
-- keeps: the places behind it
DELETE FROM place
WHERE queue = :queue AND line = :line AND at <= :at AND (at, job) <= (:at, :job)
