-- When commits are written through.
-- in: nothing
-- out: 2 for FULL
-- locks: none
-- keeps: everything
PRAGMA synchronous
