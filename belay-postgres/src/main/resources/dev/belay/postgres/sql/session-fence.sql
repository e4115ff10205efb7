-- Raises the fence.
-- in: session, number
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: the fence never falls
UPDATE belay.session SET fence = greatest(fence, :number) WHERE no = :session
