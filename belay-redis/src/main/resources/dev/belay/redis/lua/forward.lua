-- Accepts a follow-up that waited in the outgoing list of another queue; again, where nobody knows whether it was.
-- keys: queue heads orphans; then, where it has an explicit key, the in-flight sets of all sessions, in the order of their ids
-- arguments: dedup window in ms, its id in words, then as for enqueue: id, numbers, type, body, payload, explicit key or '',
--   fingerprint; then, where it has an explicit key, all session ids
-- answers: a verdict; {'again'} where the sessions are others
-- invariant: its id is remembered like a key: so it is accepted once, even where it is gone already
-- cost: O(log(jobs of the queue))
call('HSET', K.queue, 'enqueued', now)
know()
local window, words = tonumber(ARGV[2]), ARGV[3]
local new = {ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8], ARGV[9], ARGV[10]}
if new[6] ~= '' then
  local IDS = 11
  if not all_named(IDS) then return {'again'} end
  flights = named_flights()
end
if key_holder(new[3], words, window) then return {'duplicate', new[1], ''} end
local verdict = accept(new, window, call('HGET', K.heads, new[1]))
store_accepted()
if verdict[1] == 'applied' then
  claim_key(new[3], words, new[1], new[7], now)
  call('ZADD', K.orphans, now, new[3] .. '\0' .. words)
end
flush()
return verdict
