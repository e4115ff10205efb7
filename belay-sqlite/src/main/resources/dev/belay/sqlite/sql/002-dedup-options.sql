-- What a job says of its key. A program of before neither reads nor writes these columns: to it, each key is remembered for
-- the namespace's window, and counts as long as its job exists.

ALTER TABLE more ADD COLUMN dedup_window INTEGER;               -- how long its key is remembered; null for the namespace's
ALTER TABLE more ADD COLUMN dedup_mode INTEGER NOT NULL DEFAULT 0; -- 1 replaces what waits, 2 counts only while it waits, 3 both

ALTER TABLE dedup ADD COLUMN own_window INTEGER;                -- null for the namespace's; 0 where it counts only while it waits
ALTER TABLE dedup ADD COLUMN only_waiting INTEGER NOT NULL DEFAULT 0;

-- A key whose job is gone and that has a window of its own has orphan = 2: so it is not in the index of the others.
CREATE INDEX dedup_orphan_own ON dedup (queue, since + own_window) WHERE orphan = 2;
