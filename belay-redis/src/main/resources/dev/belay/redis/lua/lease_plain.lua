-- Hands jobs out as lease does, where all is as usual: one line of fresh jobs, nothing due, no obstacle.
-- keys: queue scheduled ready late fragile suspects unknown heads payloads; then the in-flight set of the session
-- arguments: session, number, slots, extra, most bytes, 1 where it goes on with a call of that number
-- answers: {'other'} where it is not as usual: nothing was done, lease knows what to do; {'ENDED'}, {'FENCED'}; or {'OK',
--   what stood in line, the first token, now, 1 where more are ready, ms until the next is due or -1, heads, payloads of those
--   whose payload lies apart}; the last two only for few jobs: many are read more cheaply by the caller
-- invariant: as for lease
-- cost: O(leases)
call('HDEL', K.queue, 'full') -- a write that a full server allows: so the rest passes
local flight, sid, sent, wanted, most = KEYS[FIRST], ARGV[2], tonumber(ARGV[3]), ARGV[4] + ARGV[5], tonumber(ARGV[6])
local goes_on = ARGV[7] == '1'
local s = live_session(sid)
if not s then return {'ENDED'} end
if is_fenced(s, sent, goes_on) then return {'FENCED'} end

local of = call('HMGET', K.queue, 'paused', 'token', 'stale')
local next_due = -1
local first = call('ZRANGE', K.scheduled, 0, 0, 'WITHSCORES')[2]
if first then next_due = first - now end
local lists = call('EXISTS', K.ready[0], K.ready[1], K.ready[2], K.ready[3], K.ready[4])
if wanted < 1 or of[1] == '1' or lists > 1 or (first and next_due <= 0)
  or call('EXISTS', K.late, K.fragile, K.suspects, K.unknown) > 0 then return {'other'} end
local token, line, entries = tonumber(of[2] or 0), 2, {}
if lists == 1 then
  entries = call('LRANGE', K.ready[2], 0, wanted - 1)
  if #entries == 0 then
    for _, other in ipairs({0, 1, 3, 4}) do
      line, entries = other, call('LRANGE', K.ready[other], 0, wanted - 1)
      if #entries > 0 then break end
    end
  end
end

-- Whether heads have to be looked at: some entries may have been left behind, or say that there is something about them.
local FEW = 8
local SEQ_ID_SIZE = '>' .. string.rep('x', 8) .. 'c8c16I4' -- of an entry
local ids, apart, bytes, count = {}, {}, 0, 0
local holds, times = {}, u64(now) .. u64(0) -- leased, not begun
local look = #entries <= FEW or tonumber(of[3] or 0) > 0
-- What entries end with is the same for all jobs of a kind that are in line one behind the other: read once.
local tail, know, version, type, hold_tail, in_turn = nil, nil, nil, nil, nil, 0
local function count_in_turn()
  if in_turn == 0 then return end
  count_event(type, 'LEASED', in_turn)
  count_kind(type, version, -in_turn)
  in_turn = 0
end
for i = 1, #entries do
  local entry = entries[i]
  local its, id, size = struct.unpack(SEQ_ID_SIZE, entry)
  bytes = bytes + size
  if (i > 1 or goes_on) and bytes > most then break end
  local its_tail = string.sub(entry, ENTRY_KNOW)
  if its_tail ~= tail then
    count_in_turn()
    tail = its_tail
    know, version = struct.unpack('>BI4', tail)
    type = string.sub(tail, 6)
    hold_tail = string.char(know) .. type
    look = look or not has(know, USUAL)
  end
  count, in_turn = i, in_turn + 1
  ids[i] = id
  if has(know, APART) then apart[#apart + 1] = id end
  holds[2 * i - 1], holds[2 * i] = id, u64(token + i) .. times .. its .. hold_tail
end
for i = #entries, count + 1, -1 do entries[i] = nil end
local heads, payloads
if look and count > 0 then
  heads = fields(K.heads, ids)
  local usual, never = string.char(FORMAT, line, 1), string.rep('\0', 8)
  for i = 1, count do
    local head = heads[i]
    if not head or string.sub(head, 1, 3) ~= usual or string.sub(head, 5, 12) ~= string.sub(entries[i], 9, 16)
      or string.sub(head, 37, 44) ~= never or not is_sound(head) then return {'other'} end
  end
  if count > FEW then heads = nil
  else payloads = #apart > 0 and fields(K.payloads, apart) or {} end
end
if count > 0 then
  count_in_turn()
  call('LTRIM', K.ready[line], count, -1)
  call('HSET', K.queue, 'token', token + count)
  many('HSET', flight, holds)
end
s.newest = sent
save_session(s)
count_state(0, -count); count_state(17, count)
flush()
return {'OK', entries, tostring(token + 1), tostring(now), call('EXISTS', K.ready[line]), tostring(next_due), heads, payloads}
