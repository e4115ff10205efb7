-- Makes a queue known, with the default settings where it is new or was removed.
-- in: namespace, name; the default settings
-- out: nothing
-- locks: the write lock of the transaction around it
-- keeps: the tokens of a queue that was removed: they never fall
INSERT INTO queue (namespace, name, keep_finished, keep_finished_count)
VALUES (:namespace, :name, :keepFinished, :keepFinishedCount)
ON CONFLICT (namespace, name) DO UPDATE SET known = 1
