-- Writes a histogram.
-- in: queue, slice, type, kind, histogram
-- out: nothing
-- locks: the write lock of the transaction around it
-- keeps: one row a histogram
INSERT INTO times (queue, slice, type, kind, histogram) VALUES (:queue, :slice, :type, :kind, :histogram)
ON CONFLICT (queue, slice, type, kind) DO UPDATE SET histogram = excluded.histogram
