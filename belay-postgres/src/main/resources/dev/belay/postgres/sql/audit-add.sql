-- Writes an entry of the audit log.
-- in: namespace, at, action, queue (its name), job, byWho, byWhy, detail
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: entries in order of writing
INSERT INTO belay.audit (namespace, at, action, queue, job, by_who, by_why, detail)
VALUES (:namespace, :at, :action, :queue, :job, :byWho, :byWhy, :detail)
