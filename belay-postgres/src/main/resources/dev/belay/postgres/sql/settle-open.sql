-- Begins work on one queue in one round trip: begin, queue-find.
-- in: as these
-- out: as these, in their order
-- locks: as these
-- keeps: as these
{{begin}};
{{queue-find}}
