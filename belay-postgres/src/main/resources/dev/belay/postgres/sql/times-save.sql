-- Writes a histogram.
-- in: queue, slice, type, kind, histogram
-- out: nothing
-- locks: the rows that it changes, until the end of the transaction
-- keeps: one row a histogram
INSERT INTO belay.times (queue, slice, type, kind, histogram) VALUES (:queue, :slice, :type, :kind, :histogram)
ON CONFLICT (queue, slice, type, kind) DO UPDATE SET histogram = excluded.histogram
