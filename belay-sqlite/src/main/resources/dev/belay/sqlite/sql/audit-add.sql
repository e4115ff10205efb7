-- Writes an entry of the audit log.
-- in: namespace, at, action, queue (its name), job, byWho, byWhy, detail
-- out: nothing
-- locks: the write lock of the transaction around it
-- keeps: entries in order of writing
INSERT INTO audit (namespace, at, action, queue, job, by_who, by_why, detail)
VALUES (:namespace, :at, :action, :queue, :job, :byWho, :byWhy, :detail)
