-- Notes a promotion.
-- in: queue, now, the window of unknown types and its count
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: everything else of it
UPDATE belay.queue SET last_promotion_at = :now, unknown_window_at = :windowAt, unknown_promoted = :promoted WHERE id = :queue
