-- Notes a promotion.
-- in: queue, now, the window of unknown types and its count
-- out: nothing
-- locks: the write lock of the transaction around it
-- keeps: everything else of it
UPDATE queue SET last_promotion_at = :now, unknown_window_at = :windowAt, unknown_promoted = :promoted WHERE id = :queue
