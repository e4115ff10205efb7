-- Notes a change of a count.
-- in: queue, slice, type, event, n
-- out: nothing
-- locks: none
-- keeps: the rows of the counts are not touched: the pruner sums the changes up
INSERT INTO belay.event_change (queue, slice, type, event, n) VALUES (:queue, :slice, :type, :event, :n)
