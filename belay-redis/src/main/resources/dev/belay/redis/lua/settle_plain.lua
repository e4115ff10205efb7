-- Ends leases of one session with a plain success: no result, no follow-up, no progress, nothing else to be done.
-- keys: queue heads finished payloads; then the in-flight set of the session
-- arguments: session; id, token of eight bytes, for each lease
-- answers: {state of those that ended, or '' where they are gone; the positions of those that are not that plain, or not held:
--   settle knows what to do with them}
-- invariant: as for settle
-- cost: O(settlements), with retention O(settlements × log(finished jobs))
call('HDEL', K.queue, 'full') -- a write that a full server allows: so the rest passes
local flight, sid = KEYS[FIRST], ARGV[2]
local keep = tonumber(call('HGET', K.queue, 'keep') or KEEP) > 0
local ids = {}
for i = 3, #ARGV, 2 do ids[#ids + 1] = ARGV[i] end
local holds = fields(flight, ids)
local heads = keep and fields(K.heads, ids) or nil
local done, apart, others, kept, finished = {}, {}, {}, {}, {}
local type_before, in_turn = nil, 0
local function count_type()
  if in_turn == 0 then return end
  count_event(type_before, 'SUCCEEDED', in_turn)
  if not keep then count_event(type_before, 'PRUNED', in_turn) end
  in_turn = 0
end
local moment = u64(now)
for i = 1, #ids do
  local hold, token = holds[i], ARGV[2 * i + 2]
  local head = heads and heads[i]
  if hold and string.sub(hold, 1, 8) == token and has(string.byte(hold, 33), USUAL)
      and (not keep or (head and is_sound(head) and is_usual(string.byte(head, 4)))) then
    done[#done + 1] = ids[i]
    local type = string.sub(hold, 34)
    if type ~= type_before then count_type(); type_before = type end
    in_turn = in_turn + 1
    local its = string.sub(hold, 25, 32)
    if keep then
      -- What is unpacked later: when, by which lease, of which session.
      kept[#kept + 1] = ids[i]
      kept[#kept + 1] = string.char(FORMAT, SUCCEEDED, 2, PLAINLY + string.byte(head, 4)) .. its .. moment
        .. string.sub(head, 21) .. token .. sid
      finished[#finished + 1] = now
      finished[#finished + 1] = its .. ids[i]
    else
      if has(string.byte(hold, 33), APART) then apart[#apart + 1] = ids[i] end
      unlist(struct.unpack('>I8', its))
    end
  else others[#others + 1] = i end
end
count_type()
many('HDEL', flight, done)
count_state(17, -#done)
if keep then
  many('HSET', K.heads, kept)
  many('ZADD', K.finished, finished)
  count_state(SUCCEEDED, #done)
else
  many('HDEL', K.heads, done)
  many('HDEL', K.payloads, apart)
end
flush()
return {keep and 'SUCCEEDED' or '', others}
