-- So that no planner takes the index of open keys for this: it looks tiny, and holds what was open since the last vacuum.
state || '' = 'PENDING'
