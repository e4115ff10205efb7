-- Accepts jobs of one numbered call; one that is sent again is answered as before.
-- keys: queue heads; then, where they are named, the in-flight sets of all sessions, in the order of their ids
-- arguments: client, number, dedup window in ms, how many jobs, 1 where sessions are named, then seven for each job: id,
--   numbers, type, body, payload, explicit key or '', fingerprint; then, where they are named, all session ids
-- answers: {'ok', a verdict for each, or the state of all where all were accepted into one, 1 where these need not be set
--   right: it was answered before, or knew which jobs run}; {'number', the newest number}; {'sessions'} where that must be
--   known, {'again'} where the sessions are others: nothing was done
-- invariant: each accepted job has a head, a payload, a place in line and a place in the order of acceptance
-- cost: O(jobs × log(jobs of the queue))
call('HSET', K.queue, 'enqueued', now) -- refused first where the server is full: so the call is refused whole
local client, sent, window, count = ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local newest = newest_call(client)
local known_answer = answered(newest, client, sent)
if known_answer then return known_answer end
if ARGV[6] == '1' then
  local IDS = 7 + 7 * count
  if not all_named(IDS) then return {'again'} end
  flights = named_flights()
end
know()
local ids = {}
for i = 1, count do ids[i] = ARGV[7 * i] end
local twins = fields(K.heads, ids)
local verdicts, same = {}, nil
for i = 1, count do
  local at = 7 * i
  local verdict = accept({ids[i], ARGV[at + 1], ARGV[at + 2], ARGV[at + 3], ARGV[at + 4], ARGV[at + 5], ARGV[at + 6]},
    window, twins[i])
  if verdict == UNNAMED then return verdict end
  verdicts[i] = verdict
  local state = verdict[1] == 'applied' and verdict[2]
  if i == 1 then same = state elseif same ~= state then same = false end
end
store_accepted()
remember(newest, client, sent, same or verdicts)
flush()
return {'ok', same or verdicts, flights and 1 or 0}
