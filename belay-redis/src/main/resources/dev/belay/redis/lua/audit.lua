-- Writes an entry about no queue into the audit log.
-- keys: the audit log of the namespace
-- arguments: milliseconds to add to the server's time, action, job or '', who, why or '', detail or ''
-- answers: 1
-- invariant: the time is the server's
-- cost: O(1)
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2] + ARGV[1] * 1000
redis.call('RPUSH', KEYS[1], cmsgpack.pack({now, ARGV[2], ARGV[3], ARGV[4], ARGV[5] ~= '' and ARGV[5] or false,
  ARGV[6] ~= '' and ARGV[6] or false}))
return 1
