-- Hands jobs out as lease does, where all is as usual: one line of fresh jobs, nothing due, no obstacle.
-- keys: queue sessions scheduled ready late fragile suspects unknown heads payloads; then the in-flight set of the session
-- arguments: session, number, slots, extra, most bytes
-- answers: {'other'} where it is not as usual: nothing was done, lease knows what to do; {'ENDED'}, {'FENCED'}; or {'OK',
--   what stood in line, heads, payloads, the first token, now, 1 where more are ready, ms until the next is due or -1}
-- invariant: as for lease
-- cost: O(leases)
call('HDEL', K.queue, 'full') -- a write that a full server allows: so the rest passes
local flight, sid, sent, wanted, most = KEYS[FIRST], ARGV[2], tonumber(ARGV[3]), ARGV[4] + ARGV[5], tonumber(ARGV[6])
local found = call('HGET', K.sessions, sid)
if not found then return {'ENDED'} end
local deadline, marked, fence, newest, ended = struct.unpack(SESSION, found)
if ended == 1 then return {'ENDED'} end
if sent <= fence or sent <= newest then return {'FENCED'} end

local of = call('HMGET', K.queue, 'paused', 'token')
local next_due = -1
local first = call('ZRANGE', K.scheduled, 0, 0, 'WITHSCORES')[2]
if first then next_due = first - now end
local lists = call('EXISTS', K.ready[0], K.ready[1], K.ready[2], K.ready[3], K.ready[4])
if wanted < 1 or of[1] == '1' or lists > 1 or (first and next_due <= 0) or call('EXISTS', K.late, K.fragile, K.suspects, K.unknown) > 0 then
  return {'other'}
end
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

local ids, heads, payloads = {}, {}, {}
local count, bytes = 0, 0
local kinds_in_turn = {} -- version and type, how many, for each run of one kind
if #entries > 0 then
  for i = 1, #entries do ids[i] = string.sub(entries[i], 17) end
  heads = fields(K.heads, ids)
  local usual, never = string.char(FORMAT, line, 1), string.rep('\0', 8)
  local holds = {}
  local times = u64(now) .. never -- leased, not begun
  local kind_before
  for i = 1, #entries do
    local head, its = heads[i], string.sub(entries[i], 9, 16)
    if not head or string.sub(head, 1, 3) ~= usual or string.sub(head, 5, 12) ~= its or string.sub(head, 37, 44) ~= never
      then return {'other'} end
    if not is_usual(head) then return {'other'} end
    local size, named = struct.unpack('>I4', head, 45), string.byte(head, HEAD_LENGTH + 1)
    if count > 0 and bytes + size > most then break end
    count, bytes = i, bytes + size
    local type = string.sub(head, HEAD_LENGTH + 2, HEAD_LENGTH + 1 + named)
    local kind = string.sub(head, 49, 52) .. type
    if kind == kind_before then kinds_in_turn[#kinds_in_turn] = kinds_in_turn[#kinds_in_turn] + 1
    else
      kind_before = kind
      kinds_in_turn[#kinds_in_turn + 1] = kind
      kinds_in_turn[#kinds_in_turn + 1] = 1
    end
    holds[2 * i - 1] = ids[i]
    holds[2 * i] = u64(token + i) .. times .. its .. (string.byte(head, 4) == 0 and '\1' or '\0') .. type
  end
  for i = #entries, count + 1, -1 do entries[i], ids[i], heads[i] = nil, nil, nil end
  payloads = fields(K.payloads, ids)
  call('LTRIM', K.ready[line], count, -1)
  call('HSET', K.queue, 'token', token + count)
  many('HSET', flight, holds)
end
call('HSET', K.sessions, sid, struct.pack(SESSION, deadline, marked, fence, sent, ended))
for i = 1, #kinds_in_turn, 2 do
  local kind, its = kinds_in_turn[i], kinds_in_turn[i + 1]
  local type = string.sub(kind, 5)
  count_event(type, 'LEASED', its)
  count_kind(type, struct.unpack('>I4', kind), -its)
end
count_state(0, -count); count_state(17, count)
flush()
return {'OK', entries, heads, payloads, tostring(token + 1), tostring(now), call('EXISTS', K.ready[line]), tostring(next_due)}
