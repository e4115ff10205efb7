-- Raises the fence.
-- in: session, number
-- out: nothing
-- locks: the write lock of the transaction around it
-- keeps: the fence never falls
UPDATE session SET fence = max(fence, :number) WHERE no = :session
