-- Makes a queue known, with the default settings where it is new or was removed.
-- in: namespace, name; the default settings
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: its settings where it is known
INSERT INTO belay.queue (namespace, name, keep_finished, keep_finished_count)
VALUES (:namespace, :name, :keepFinished, :keepFinishedCount)
ON CONFLICT (namespace, name) DO UPDATE SET known = 1 WHERE queue.known = 0
