-- Ends a session whose mark has stood for the grace.
-- in: id; markedAt as it was read
-- out: one row removed, or none where it has moved its deadline since
-- locks: the row
-- keeps: the reservations of its callers: whoever meets one takes it over
DELETE FROM belay_ledger_session
WHERE id = :id AND marked_at = :markedAt
