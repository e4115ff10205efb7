-- Accepts jobs of one numbered call as enqueue does, where all are the usual: due at once, of one priority, without a key,
-- expiry or retention of their own, and with more than one crash allowed.
-- keys: queue heads payloads ready
-- arguments: client, number, how many jobs, their priority, how many runs; type, version, the first bytes of their heads, the
--   end of their entries in line, how many, for each run of jobs of one kind; id, head from its expiry on, for each job; id,
--   payload, for each payload that lies apart
-- answers: {'other'} where one of the ids is there already: enqueue knows what to do; else as enqueue
-- invariant: as for enqueue
-- cost: O(jobs)
call('HSET', K.queue, 'enqueued', now) -- refused first where the server is full: so the call is refused whole
local client, sent, count, priority, runs = ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local newest = newest_call(client)
local known_answer = answered(newest, client, sent)
if known_answer then return known_answer end

local at = 6 + 5 * runs
local ids, payloads = {}, {}
for i = 1, count do ids[i] = ARGV[at + 2 * i - 1] end
for i = at + 2 * count + 1, #ARGV do payloads[#payloads + 1] = ARGV[i] end
for _, twin in ipairs(fields(K.heads, ids)) do if twin then return {'other'} end end

know()
local seq = call('HINCRBY', K.queue, 'seq', count) - count
local moment = u64(now)
local times = moment .. moment .. moment -- ready, created, due
local heads, places, entries = {}, {}, {}
local i = 0
for run = 1, runs do
  local type, version, first_bytes, tail, its_count = unpack(ARGV, 2 + 5 * run, 6 + 5 * run)
  for _ = 1, tonumber(its_count) do
    i = i + 1
    local its, id, rest = u64(seq + i), ids[i], ARGV[at + 2 * i]
    heads[2 * i - 1], heads[2 * i] = id, first_bytes .. its .. times .. rest
    places[2 * i - 1], places[2 * i] = its, id
    entries[i] = moment .. its .. id .. string.sub(rest, 9, 12) .. tail
  end
  count_event(type, 'ACCEPTED', its_count)
  count_kind(type, version, its_count)
end
many('HSET', K.heads, heads)
many('HSET', K.payloads, payloads)
many('RPUSH', K.ready[priority], entries)
enlist(seq + 1, places)
count_state(0, count)
woken = count
remember(newest, client, sent, 'READY')
flush()
return {'ok', 'READY', 0}
