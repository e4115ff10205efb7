-- The history of a job, oldest first.
-- in: job
-- out: one row an entry
-- locks: none: reads a snapshot
-- keeps: everything
SELECT n, at, kind, attempt, token, worker, by_who, by_why, detail, error_class, error_fingerprint, error_message,
  error_stack, size
FROM belay.history WHERE job = :job ORDER BY n
