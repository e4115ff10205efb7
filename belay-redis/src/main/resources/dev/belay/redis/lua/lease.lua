-- Hands jobs out: from the line into the in-flight set of a session, in one step.
-- keys: queue ready late fragile suspects heads expiring payloads scheduled unknown; then the in-flight set of the session
-- arguments: session, number, slots, extra, most bytes, 1 where it goes on with a call of that number, 1 for a suspect
-- answers: {status, {id, head, payload where it lies apart, token} for each, now, 1 where more are ready, 1 where a suspect
--   is, ms until the next is due or -1, {id, type, reason} for each that died, 1 where the next call may be as lease_plain
--   wants it}
-- invariant: a job is in line or in flight; tokens grow by one for each lease
-- cost: O(leases × log(jobs of the queue))
call('HDEL', K.queue, 'full') -- a write that a full server allows: so the rest passes
local flight = KEYS[FIRST]
local sid, number, slots, extra, most, goes_on, suspect =
  ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6]), ARGV[7] == '1', ARGV[8] == '1'
local s = live_session(sid)
if not s then return {'ENDED'} end
if is_fenced(s, number, goes_on) then return {'FENCED'} end
s.newest = number
save_session(s)
promote_due()

local meta_now = call('HMGET', K.queue, 'paused', 'token')
local paused, token = meta_now[1] == '1', tonumber(meta_now[2] or 0)
local leases, bytes, fragile = {}, 0, 0
local holds = {}

local SET = {late=K.late, fragile=K.fragile, suspect=K.suspects}

-- What stands first in each line, fetched as it is needed.
local function source(kind, priority, wanted)
  local found, items = nil, {}
  if kind == 'list' then
    found = call('LRANGE', K.ready[priority], 0, wanted - 1)
    for i, entry in ipairs(found) do
      local at, seq = struct.unpack('>I8I8', entry)
      items[i] = {at=at, seq=seq, id=string.sub(entry, ENTRY_ID, ENTRY_SIZE - 1)}
    end
  else
    found = call('ZRANGEBYSCORE', SET[kind], priority * BAND,
      '(' .. (priority + 1) * BAND, 'WITHSCORES', 'LIMIT', 0, wanted)
    for i = 1, #found, 2 do
      items[#items + 1] = {at=tonumber(found[i + 1]) - priority * BAND, seq=struct.unpack('>I8', found[i]),
        id=string.sub(found[i], 9), place=found[i]}
    end
  end
  return {kind=kind, priority=priority, items=items, next=1, full=#items == wanted}
end

local function before(a, b, by_wait)
  if not by_wait and a.priority ~= b.priority then return a.priority < b.priority end
  local x, y = a.items[a.next], b.items[b.next]
  if x.at ~= y.at then return x.at < y.at end
  return x.seq < y.seq
end

local function consume(from, item)
  if from.kind == 'list' then from.popped = (from.popped or 0) + 1
  else call('ZREM', SET[from.kind], item.place) end
end

-- One round over the sources, which looks at so many; whether another one may find more.
local look = 0
local function round(wanted)
  local sources = {}
  local late, frail = call('EXISTS', K.late) == 1, call('EXISTS', K.fragile) == 1
  look = math.min(500, math.max(wanted, 2 * look))
  if suspect then look = 1 end
  local fetch = math.max(wanted, look) + 10
  for p = 0, 4 do
    if suspect then sources[#sources + 1] = source('suspect', p, 1)
    else
      sources[#sources + 1] = source('list', p, fetch)
      if late then sources[#sources + 1] = source('late', p, fetch) end
      if frail then sources[#sources + 1] = source('fragile', p, fetch) end
    end
  end
  -- Which come next, before it is known whether each can start.
  local picked, frail_picked = {}, fragile
  local again = false
  while #picked < math.max(wanted, look) do
    local by_wait = not suspect and (token + #picked + 1) % 10 == 0
    local best
    for _, from in ipairs(sources) do
      local allowed = from.kind ~= 'fragile' or frail_picked < slots
      if from.next <= #from.items and allowed and (not best or before(from, best, by_wait)) then best = from end
    end
    if not best then break end
    local item = best.items[best.next]
    best.next = best.next + 1
    if best.kind == 'fragile' then frail_picked = frail_picked + 1 end
    picked[#picked + 1] = {from=best, item=item}
    if best.next > #best.items and best.full then again = true; break end
  end
  if #picked == 0 then return false end
  local ids = {}
  for i, one in ipairs(picked) do ids[i] = one.item.id end
  local heads = fields(K.heads, ids)
  local obstacles = {}
  local stopped = false
  local apart, waiting = {}, {} -- ids whose payload lies apart, and their leases
  for i, one in ipairs(picked) do
    local head, item, from = heads[i], one.item, one.from
    local sound = head and is_sound(head)
    local line, place, flags, seq, expires, size, version, type, _
    if sound then
      _, line, place, flags, seq, _, _, _, expires, size, version = struct.unpack(HEAD, head)
      type = string.sub(head, HEAD_LENGTH + 2, HEAD_LENGTH + 1 + string.byte(head, HEAD_LENGTH + 1))
      sound = state_of(line)
    end
    if not head or (sound and (seq ~= item.seq or line >= 15 or line % 5 ~= from.priority
        or (from.kind == 'list') ~= (place == 1))) then
      consume(from, item) -- left behind by a job that has gone elsewhere
      if from.kind == 'list' then meta.stale = (meta.stale or 0) - 1 end
    elseif not sound or (expires > 0 and expires <= now) then
      consume(from, item); obstacles[#obstacles + 1] = item
      if from.kind == 'list' then item.listed = true end
      item.line = (from.kind == 'fragile' and 5 or from.kind == 'suspect' and 10 or 0) + from.priority
    elseif #leases == slots + extra or (suspect and #leases == 1) or ((#leases > 0 or goes_on) and bytes + size > most) then
      stopped = true; break
    elseif from.kind ~= 'fragile' or fragile < slots then
      consume(from, item)
      token = token + 1
      bytes = bytes + size
      if from.kind == 'fragile' then fragile = fragile + 1 end
      leases[#leases + 1] = {item.id, head, false, token}
      local know = is_usual(flags) and line < 5 and USUAL or 0
      if not has(flags, INLINE) then
        know = know + APART
        apart[#apart + 1], waiting[#waiting + 1] = item.id, leases[#leases]
      end
      holds[#holds + 1] = item.id
      holds[#holds + 1] = struct.pack(HOLD, token, now, 0, seq, know) .. type
      if expires > 0 then call('ZREM', K.expiring, u64(seq) .. item.id) end
      count_state(line, -1); count_state(17, 1); count_event(type, 'LEASED'); count_kind(type, version, -1)
    end
  end
  for i, payload in ipairs(#apart > 0 and fields(K.payloads, apart) or {}) do waiting[i][3] = payload end
  for _, from in ipairs(sources) do
    if from.popped then call('LTRIM', K.ready[from.priority], from.popped, -1) end
  end
  for _, item in ipairs(obstacles) do
    local j = load(item.id, item.line, item.seq)
    if item.listed then j.from_place, j.consumed = 1, true end
    if is_corrupt(j) then died(j, 'CORRUPT')
    elseif j.newer then
      leave(j); count_state(j.from_line, -1); count_state(SCHEDULED, 1); count_kind(j.type, j.version, 1)
      j.line, j.place, j.at = SCHEDULED, 2, now + 30000
      call('ZADD', K.scheduled, j.at, member(j)); write(j)
    else expire(j) end
  end
  return not stopped and (again or #leases < slots + extra)
end

if not paused then
  local wanted = suspect and 1 or slots + extra
  local rounds = 0
  while #leases < wanted and rounds < 50 do
    rounds = rounds + 1
    if not round(wanted - #leases) then break end
  end
  if #leases > 0 then
    call('HSET', K.queue, 'token', token)
    many('HSET', flight, holds)
  end
end
local more = call('EXISTS', K.late, K.fragile, K.ready[0], K.ready[1], K.ready[2], K.ready[3], K.ready[4]) > 0
local due = next_due()
woken = 0 -- who leases knows
flush()
local plain = not paused and due ~= 0 and call('EXISTS', K.late, K.fragile, K.suspects, K.unknown) == 0
  and call('EXISTS', K.ready[0], K.ready[1], K.ready[2], K.ready[3], K.ready[4]) <= 1
return {paused and 'PAUSED' or 'OK', leases, tostring(now), more and 1 or 0, call('EXISTS', K.suspects), tostring(due), deaths,
  plain and 1 or 0}
