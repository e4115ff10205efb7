-- Cuts a stack.
-- in: job, n, size: without it
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: everything else of the entry
UPDATE belay.history SET error_stack = '', size = :size WHERE job = :job AND n = :n
