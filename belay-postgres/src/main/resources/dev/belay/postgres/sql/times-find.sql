-- A histogram.
-- in: queue, slice, type, kind
-- out: its bytes
-- locks: none: reads a snapshot
-- keeps: everything
SELECT histogram FROM belay.times WHERE queue = :queue AND slice = :slice AND type = :type AND kind = :kind
