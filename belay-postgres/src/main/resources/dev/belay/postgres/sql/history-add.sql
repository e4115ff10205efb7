-- Adds to the history of a job.
-- in: job, n and the entry
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: entries are numbered without gaps
INSERT INTO belay.history (job, n, at, kind, attempt, token, worker, by_who, by_why, detail, error_class, error_fingerprint,
  error_message, error_stack, size)
VALUES (:job, :n, :at, :kind, :attempt, :token, :worker, :byWho, :byWhy, :detail, :errorClass, :errorFingerprint,
  :errorMessage, :errorStack, :size)
