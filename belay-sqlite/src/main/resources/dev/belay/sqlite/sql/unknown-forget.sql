-- Forgets the time of types that have not been refused for long: no job is left, or none is leased.
-- in: queue, before
-- out: how many
-- locks: the write lock of the transaction around it
-- keeps: types refused later
DELETE FROM unknown_type WHERE queue = :queue AND refused_at < :before
