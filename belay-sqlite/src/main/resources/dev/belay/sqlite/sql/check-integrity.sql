-- Whether the structure of the file is sound.
-- in: nothing
-- out: ok, or the first problem
-- locks: none
-- keeps: everything
PRAGMA quick_check(1)
