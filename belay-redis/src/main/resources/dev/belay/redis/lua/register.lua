-- Registers a session, which makes the queue known.
-- keys: used sessions queue specs registrations
-- arguments: session, its spec (packed: worker, lease duration in ms, {type: version}, and what is only shown)
-- answers: {'used'} or {'ok', now, 1 where the queue is paused}
-- invariant: no session id is taken twice
-- cost: O(types)
if call('ZSCORE', K.used, ARGV[2]) or call('HEXISTS', K.sessions, ARGV[2]) == 1 then return {'used'} end
call('HSET', K.queue, 'enqueued', now)
know()
local spec = cmsgpack.unpack(ARGV[3])
call('ZADD', K.used, now, ARGV[2])
call('HSET', K.specs, ARGV[2], ARGV[3])
call('HSET', K.sessions, ARGV[2], struct.pack(SESSION, now + spec[2], 0, 0, 0, 0))
call('HSET', K.registrations, ARGV[2], now)
return {'ok', tostring(now), call('HGET', K.queue, 'paused') == '1' and 1 or 0}
