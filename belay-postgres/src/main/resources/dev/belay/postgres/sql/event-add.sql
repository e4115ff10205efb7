-- Notes changes of counts.
-- in: arrays of queue, slice, type, event, n
-- out: nothing
-- locks: none
-- keeps: the rows of the counts are not touched: the pruner sums the changes up
INSERT INTO belay.event_change (queue, slice, type, event, n)
SELECT * FROM unnest(:queue::bigint[], :slice::bigint[], :type::text[], :event::text[], :n::bigint[])
