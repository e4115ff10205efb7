-- Marks a session that is past its deadline.
-- in: id; markedAt; offset
-- out: one row changed, or none where it has moved its deadline since
-- locks: the row
-- keeps: a session that lives
UPDATE belay_ledger_session
SET marked_at = :markedAt, looked_at = {{now}}
WHERE id = :id AND deadline < {{now}}
