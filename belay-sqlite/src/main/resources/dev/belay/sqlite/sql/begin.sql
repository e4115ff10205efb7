-- Begins a transaction that writes.
-- in: nothing
-- out: nothing
-- locks: the write lock of the file, until commit or rollback
-- keeps: everything
BEGIN IMMEDIATE
