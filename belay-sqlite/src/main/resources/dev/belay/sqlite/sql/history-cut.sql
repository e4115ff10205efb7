-- Cuts a stack.
-- in: job, n, size: without it
-- out: nothing
-- locks: the write lock of the transaction around it
-- keeps: everything else of the entry
UPDATE history SET error_stack = '', size = :size WHERE job = :job AND n = :n
