-- The audit log of a job, newest first.
-- in: namespace, job, below, limit
-- out: one row an entry
-- locks: none: reads a snapshot
-- keeps: everything
SELECT no, at, action, queue, job, by_who, by_why, detail FROM belay.audit
WHERE namespace = :namespace AND job = :job AND no < :below ORDER BY no DESC LIMIT :limit
