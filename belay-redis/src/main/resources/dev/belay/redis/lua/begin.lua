-- Begins a job with one crash left.
-- keys: queue; then the in-flight set of the session
-- arguments: session, id, token
-- answers: 'ENDED', 'STALE', 'BUSY' or 'APPLIED'
-- invariant: a suspect is begun only where its session holds nothing else, is not marked and not past its deadline
-- cost: O(1)
call('HDEL', K.queue, 'full')
local flight, s = KEYS[FIRST], live_session(ARGV[2])
if not s then return 'ENDED' end
local hold = call('HGET', flight, ARGV[3])
if not hold then return 'STALE' end
local token, leased, begun, seq, plain = struct.unpack(HOLD, hold)
if token ~= tonumber(ARGV[4]) then return 'STALE' end
local j = load(ARGV[3])
local suspect = j and not j.corrupt and not j.newer and j.b[B.crashes] >= 1 and j.b[B.crashes] + 1 >= j.b[B.max_crashes]
if s.marked > 0 or s.deadline <= now or (suspect and call('HLEN', flight) > 1) then return 'BUSY' end
call('HSET', flight, ARGV[3], struct.pack(HOLD, token, leased, now, seq, plain) .. string.sub(hold, 34))
return 'APPLIED'
