-- Accepts jobs of one numbered call; one that is sent again is answered as before.
-- arguments: client, number, dedup window in ms, how many jobs, then seven for each: id, numbers, type, body, payload,
--   explicit key or '', fingerprint
-- answers: {'ok', a verdict for each, 1 where it was answered before} or {'number', the newest number}
-- invariant: each accepted job has a head, a payload, a place in line and a place in the list of all
-- cost: O(jobs × log(jobs of the queue))
call('HSET', K.q, 'enqueued', now) -- refused first where the server is full: so the call is refused whole
local client, number, window, count = ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local before = call('HGET', K.c, client)
if before then
  before = cmsgpack.unpack(before)
  call('ZADD', K.ca, now, client)
  if before[1] == number then return {'ok', before[2], 1} end
  if number <= before[1] then return {'number', tostring(before[1])} end
elseif number < 1 then return {'number', '0'} end
know()
local ids = {}
for i = 1, count do ids[i] = ARGV[7 * i - 1] end
local twins, inside = {}, {}
for from = 1, count, 1000 do
  local found = call('HMGET', K.h, unpack(ids, from, math.min(count, from + 999)))
  for i, head in ipairs(found) do twins[from + i - 1] = head end
end
local verdicts = {}
for i = 1, count do
  local at = 7 * i - 1
  local twin = twins[i]
  if inside[ids[i]] then twin = nil else twin = twin or false end
  inside[ids[i]] = true
  verdicts[i] = accept({ARGV[at], ARGV[at + 1], ARGV[at + 2], ARGV[at + 3], ARGV[at + 4], ARGV[at + 5], ARGV[at + 6]},
    window, twin)
end
call('HSET', K.c, client, cmsgpack.pack({number, verdicts}))
call('ZADD', K.ca, now, client)
flush()
return {'ok', verdicts, 0}
