-- What all scripts of a queue share. KEYS: the queue's keys in the order of K below, then those a script names for itself.
-- ARGV[1]: milliseconds to add to the server's time, 0 outside of tests. A script's own arguments begin at ARGV[2].
local call, cmsgpack, struct = redis.call, cmsgpack, struct
local K = {q=KEYS[1], h=KEYS[2], p=KEYS[3], y=KEYS[4], R=KEYS[5], r={[0]=KEYS[6],KEYS[7],KEYS[8],KEYS[9],KEYS[10]},
  L=KEYS[11], F=KEYS[12], X=KEYS[13], s=KEYS[14], u=KEYS[15], e=KEYS[16], d=KEYS[17], o=KEYS[18], w=KEYS[19],
  k=KEYS[20], ko=KEYS[21], c=KEYS[22], ca=KEYS[23], g=KEYS[24], v=KEYS[25], vs=KEYS[26], b=KEYS[27], ba=KEYS[28],
  t=KEYS[29], ur=KEYS[30], wk=KEYS[31], sn=KEYS[32], n=KEYS[33], cm=KEYS[34], pg=KEYS[35], a=KEYS[36], l=KEYS[37],
  U=KEYS[38], W=KEYS[39], x=KEYS[40],
  rg=KEYS[41], og=KEYS[42]}
local FIRST = 44 -- the first key that a script names for itself

local FORMAT = 1
local SCHEDULED, UNKNOWN, SUCCEEDED, CANCELLED, SUCCEEDED_OWN, CANCELLED_OWN, DEAD = 15, 16, 20, 21, 22, 23, 24
local BAND = 8796093022208 -- 2^43 milliseconds: one band of scores a priority
local HEAD = '>BBBBI8I8I8I8I8I4I4I4'
local HEAD_LENGTH = 56
local HOLD = '>I8I8I8I8B' -- token, leasedAt, begunAt, seq, 1 where nothing but a removal is due after a success; then the type

local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000) + tonumber(ARGV[1])
-- The caller names two slices of a minute, as it does not know the server's time to the millisecond.
if math.floor(now / 60000) > tonumber(string.match(K.vs, '%d+$')) then K.vs = KEYS[43] end
local now_micros = time[1] * 1000000 + time[2] + ARGV[1] * 1000 -- tells entries of several queues apart

-- What is counted, written once at the end.
local states, events, kinds, meta, types_in_order = {}, {}, {}, {}, {}
local STATE = {[15]='n0', [16]='n0', [17]='n2', [20]='n3', [21]='n5', [22]='n3', [23]='n5', [24]='n4'}
local function state_of(line) return line < 15 and 'n1' or STATE[line] end
local STATE_NAME = {n0='SCHEDULED', n1='READY', n2='RUNNING', n3='SUCCEEDED', n4='DEAD', n5='CANCELLED'}
local function state_name(line) return STATE_NAME[state_of(line)] end
local function count_state(line, by) local f = state_of(line); states[f] = (states[f] or 0) + by end
local function count_event(type, event, by)
  local of = events[type]
  if not of then of = {}; events[type] = of; types_in_order[#types_in_order + 1] = type end
  of[event] = (of[event] or 0) + (by or 1)
end
local function count_kind(type, version, by) local f = type .. '\0' .. version; kinds[f] = (kinds[f] or 0) + by end

local counted = {}
local function counted_type(type)
  local as = counted[type]
  if not as then
    if call('HEXISTS', K.v, 'T' .. type) == 1 then as = type
    elseif tonumber(call('HGET', K.v, '#') or 0) < 500 then
      call('HSET', K.v, 'T' .. type, 1); call('HINCRBY', K.v, '#', 1); as = type
    else as = 'other' end
    counted[type] = as
  end
  return as
end

local woken = 0
local function flush()
  for f, by in pairs(states) do if by ~= 0 then call('HINCRBY', K.q, f, by) end end
  for f, by in pairs(meta) do if by ~= 0 then call('HINCRBY', K.q, f, by) end end
  local sliced = false
  for _, type in ipairs(types_in_order) do
    local as = counted_type(type)
    for event, by in pairs(events[type] or {}) do
      local f = as .. '|' .. event
      call('HINCRBY', K.v, f, by); call('HINCRBY', K.vs, f, by); sliced = true
    end
  end
  if sliced then call('EXPIRE', K.vs, 176400) end
  for f, by in pairs(kinds) do
    if by ~= 0 and call('HINCRBY', K.wk, f, by) == 0 then call('HDEL', K.wk, f) end
  end
  if woken > 0 then
    local there = call('LLEN', K.W)
    for i = there + 1, math.min(8, there + woken) do call('RPUSH', K.W, '1') end
    call('PEXPIRE', K.W, 10000)
  end
end

-- Makes the queue known.
local function know()
  if call('HSETNX', K.q, 'known', 1) == 0 and call('HGET', K.q, 'known') == '0' then call('HSET', K.q, 'known', 1) end
end
local function is_known() return call('HGET', K.q, 'known') == '1' end

-- Heads ------------------------------------------------------------------------------------------------------------
-- The body of a head: an array whose further elements, written by a newer version, are kept.
local B = {encoding=1, fingerprint=2, max_attempts=3, max_crashes=4, failures=5, crashes=6, steps=7, deliveries=8,
  snoozes=9, releases=10, replays=11, token=12, lifetime=13, key=14, backoff=15, retention=16, timeout=17, tags=18,
  extras=19, reason=20, finished=21, unknown=22, last_token=23, last_session=24, last_outcome=25, error_class=26,
  error_message=27, error_stack=28, error_fingerprint=29, progress=30, history=31, priority=32}

-- A body without anything: of a record that can't be read.
local function nobody()
  local b = {}
  for i = 1, 32 do b[i] = false end
  b[B.encoding], b[B.fingerprint], b[B.tags], b[B.extras] = 'unknown', string.char(1) .. string.rep('\0', 32), '', ''
  b[B.max_attempts], b[B.max_crashes], b[B.priority], b[B.token], b[B.history] = 1, 1, 2, 0, 0
  for _, i in ipairs({B.failures, B.crashes, B.steps, B.deliveries, B.snoozes, B.releases, B.replays}) do b[i] = 0 end
  return b
end

-- line: where the job was met, for a head that does not even say that; place: 1 a list, 2 a sorted set.
local function parse(id, head, line, seq)
  local j = {id=id, raw=head}
  local body, length = '', -1
  if #head >= HEAD_LENGTH + 2 then
    j.format, j.line, j.place, j.flags, j.seq, j.at, j.created, j.run, j.expires, j.size, j.version, length =
      struct.unpack(HEAD, head)
    local named = string.byte(head, HEAD_LENGTH + 1)
    j.type = string.sub(head, HEAD_LENGTH + 2, HEAD_LENGTH + 1 + named)
    body = string.sub(head, HEAD_LENGTH + 2 + named)
  end
  if j.format and j.format > FORMAT then
    j.newer, j.b = true, nobody()
  else
    local ok, b = pcall(cmsgpack.unpack, body)
    if j.format == FORMAT and #body == length and ok and type(b) == 'table' and state_of(j.line) then
      j.b = b
    else
      j.corrupt, j.b = true, nobody()
      if not j.seq or not state_of(j.line) or not string.match(j.type, '^[a-z0-9][a-z0-9._-]*$') then
        j.line, j.place, j.flags, j.seq, j.at, j.created, j.run, j.expires, j.size, j.version, j.type =
          line or DEAD, 2, 0, seq or 0, now, now, now, 0, 0, 1, 'unknown'
      end
    end
  end
  j.from_line, j.from_place, j.from_expires = j.line, j.place, j.expires
  j.refused = j.b[B.unknown] and true or false
  return j
end

local function load(id, line, seq)
  local head = call('HGET', K.h, id)
  return head and parse(id, head, line, seq) or nil
end

local KEYED, OWN, NOTED = 1, 2, 4
local function write(j)
  if j.newer then
    -- A newer version's: nothing but where it stands is changed.
    call('HSET', K.h, j.id, struct.pack('>BBBBI8I8', j.format, j.line, j.place, j.flags, j.seq, j.at)
      .. string.sub(j.raw, 21))
    return
  end
  local body = cmsgpack.pack(j.b)
  j.flags = (j.b[B.key] and KEYED or 0) + (j.b[B.retention] and OWN or 0) + (j.b[B.history] > 0 and NOTED or 0)
  call('HSET', K.h, j.id, struct.pack(HEAD, FORMAT, j.line, j.place, j.flags, j.seq, j.at, j.created, j.run,
    j.expires, j.size, j.version, #body) .. string.char(#j.type) .. j.type .. body)
end

-- Places ------------------------------------------------------------------------------------------------------------
local function member(j) return struct.pack('>I8', j.seq) .. j.id end
local SETS = {[15]=K.s, [16]=K.u, [20]=K.o, [21]=K.o, [22]=K.w, [23]=K.w, [24]=K.d}
local function set_of(line)
  if line >= 15 then return SETS[line] end
  return line < 5 and K.L or line < 10 and K.F or K.X
end
local function score(line, at) return line < 15 and (line % 5) * BAND + at or at end

local function is_waiting(line) return line <= 16 end
local function is_final(line) return line >= 20 end
local function is_refused(j, line) return j.b[B.unknown] and not is_final(line) end

-- Takes the job from where it stood when it was read; in flight it stands nowhere.
local function leave(j)
  if j.held then return end
  if j.from_place == 2 then call('ZREM', set_of(j.from_line), member(j)) end
  if is_waiting(j.from_line) then
    count_kind(j.type, j.version, -1)
    if j.from_expires > 0 then call('ZREM', K.e, member(j)) end
  end
end

local function group_of(j) return j.type .. '\0' .. (j.b[B.error_fingerprint] or '') end
local function enter_dead(j)
  local f = group_of(j)
  local found = call('HGET', K.g, f)
  local g = found and cmsgpack.unpack(found) or {0, now, 0}
  g[1] = g[1] + 1
  if j.at >= g[3] then
    g[3], g[4], g[5], g[6] = j.at, j.b[B.reason], j.b[B.error_class], j.b[B.error_message]
  end
  call('HSET', K.g, f, cmsgpack.pack(g))
  meta.db = (meta.db or 0) + j.size
end
local function leave_dead(j)
  local f = group_of(j)
  local found = call('HGET', K.g, f)
  if found then
    local g = cmsgpack.unpack(found); g[1] = g[1] - 1
    call('HSET', K.g, f, cmsgpack.pack(g))
  end
  meta.db = (meta.db or 0) - j.size
end

-- Writes the job and gives it its place: the end of every move but those into flight.
local function settle_down(j)
  leave(j)
  count_state(j.held and 17 or j.from_line, -1)
  count_state(j.line, 1)
  j.place = 2
  call('ZADD', set_of(j.line), score(j.line, j.at), member(j))
  if is_waiting(j.line) then
    count_kind(j.type, j.version, 1)
    if j.expires > 0 then call('ZADD', K.e, j.expires, member(j)) end
  end
  if is_refused(j, j.line) then call('HSET', K.ur, j.id, j.type .. '\0' .. j.version)
  elseif j.refused then call('HDEL', K.ur, j.id) end
  if j.line < 15 then woken = woken + 1 end
  if j.held then
    call('HDEL', j.held.key, j.id)
    local told = call('HGET', K.pg, j.id)
    if told then call('HDEL', K.pg, j.id); if not j.progressed then j.b[B.progress] = told end end
  end
  write(j)
  j.held, j.from_line, j.from_place, j.from_expires = nil, j.line, 2, j.expires
end

-- A running job with what its session holds of it: its head is of before the lease.
local function load_held(id, key, hold, worker, session)
  local j = load(id, 17)
  if not j then return nil end
  local token, leased, begun = struct.unpack(HOLD, hold)
  j.held = {key=key, token=token, leased=leased, begun=begun, worker=worker, session=session}
  if not j.corrupt and not j.newer then
    j.b[B.token] = token
    j.b[B.deliveries] = j.b[B.deliveries] + 1
  end
  j.refused = j.b[B.unknown] and true or false
  return j
end

-- Moves -------------------------------------------------------------------------------------------------------------
local HISTORY_ENTRIES, HISTORY_BYTES = 20, 65536
local function size_of(e)
  local size = 0
  for i = 5, 12 do if e[i] then size = size + #e[i] end end
  return size
end
local function note(j, kind, who, why, detail, err)
  local b, held = j.b, j.held
  b[B.history] = b[B.history] + 1
  local found = call('HGET', K.y, j.id)
  local all = found and cmsgpack.unpack(found) or {}
  all[#all + 1] = {now, kind, b[B.failures] + 1, held and held.token or 0, held and held.worker or false,
    who or false, why or false, detail or false, err and err[1] or false, err and err[2] or false, err and err[3] or false,
    err and err[4] or false}
  while #all > HISTORY_ENTRIES do table.remove(all, 1) end
  local size = 0
  for _, e in ipairs(all) do size = size + size_of(e) end
  for _, e in ipairs(all) do
    if size <= HISTORY_BYTES then break end
    if e[11] then size = size - #e[11]; e[11] = '' end
  end
  while size > HISTORY_BYTES and #all > 1 do size = size - size_of(table.remove(all, 1)) end
  call('HSET', K.y, j.id, cmsgpack.pack(all))
end

local deaths = {}
local function died(j, reason) deaths[#deaths + 1] = {j.id, j.type, reason} end

local function ready_line(j)
  local left = j.b[B.crashes] + 1 < j.b[B.max_crashes]
  return (left and 0 or j.b[B.crashes] >= 1 and 10 or 5) + j.b[B.priority]
end
local function ready(j, at) j.line, j.at = ready_line(j), at; settle_down(j) end
local function schedule(j, at)
  j.run, j.at = at, at
  j.line = j.b[B.unknown] and UNKNOWN or SCHEDULED
  settle_down(j)
end
local function after(j, delay)
  if delay > 0 then schedule(j, now + delay) else j.run = now; ready(j, now) end
end

local function finish(j, line, reason)
  j.b[B.reason], j.b[B.finished], j.line, j.at = reason or false, now, line, now
  if line ~= DEAD and j.b[B.retention] then j.line, j.at = line + 2, now + j.b[B.retention] end
  settle_down(j)
end

local function key_field(j) return j.type .. '\0' .. j.b[B.key] end
local function holds_key(j)
  if not j.b[B.key] then return nil end
  local f = key_field(j)
  local row = call('HGET', K.k, f)
  if row and string.sub(row, 1, 16) == j.id and not call('ZSCORE', K.ko, f) then return f, row end
end
local function free_key(j) local f = holds_key(j); if f then call('HDEL', K.k, f) end end
local function orphan_key(j)
  local f, row = holds_key(j)
  if f then call('ZADD', K.ko, struct.unpack('>I8', row, 17), f) end
end
local function claim_key(type, key, id, fingerprint, since)
  local f = type .. '\0' .. key
  call('HSET', K.k, f, id .. struct.pack('>I8', since) .. fingerprint)
  call('ZREM', K.ko, f)
end
-- Who holds a key: id, since, fingerprint.
local function key_holder(type, key, window)
  local f = type .. '\0' .. key
  local row = call('HGET', K.k, f)
  if not row then return nil end
  local since = struct.unpack('>I8', row, 17)
  if since + window <= now and call('ZSCORE', K.ko, f) then return nil end
  return string.sub(row, 1, 16), since, string.sub(row, 25)
end

local function tell(session, kind, id, token)
  local found = call('HGET', K.cm, session)
  local c = found and cmsgpack.unpack(found) or {0}
  c[1] = c[1] + 1
  c[#c + 1] = {c[1], kind, id or '', token or 0}
  call('HSET', K.cm, session, cmsgpack.pack(c))
end
local function revoke(j) if j.held then tell(j.held.session, 'LEASE_REVOKED', j.id, j.held.token) end end

local function bury(j, reason)
  local expired = reason == 'EXPIRED' and not j.held and is_waiting(j.from_line)
  note(j, expired and 'EXPIRED' or 'BURIED', nil, nil, reason)
  count_event(j.type, 'DEAD')
  finish(j, DEAD, reason)
  enter_dead(j)
end
local function expire(j) count_event(j.type, 'EXPIRED'); bury(j, 'EXPIRED'); died(j, 'EXPIRED') end
local function count_crash(j)
  note(j, 'CRASHED'); count_event(j.type, 'CRASHED'); j.b[B.crashes] = j.b[B.crashes] + 1
end
local function bury_as_lost(j) count_crash(j); bury(j, 'WORKER_LOST'); died(j, 'WORKER_LOST') end
local function give_back(j)
  count_event(j.type, 'RELEASED')
  j.b[B.releases] = j.b[B.releases] + 1
  ready(j, j.at)
end
local function at_most_once(j) return j.held.begun > 0 and j.b[B.max_crashes] == 1 end

-- Whether the record can't be read; if so, the job is a dead letter from now on, and its raw bytes are kept apart.
local function is_corrupt(j)
  if not j.corrupt then return false end
  call('HSETNX', K.x, j.id, j.raw)
  j.corrupt = false
  if j.from_line == DEAD then
    leave_dead(j); j.b[B.reason], j.b[B.finished] = 'CORRUPT', j.at; settle_down(j); enter_dead(j)
  else
    if j.held then count_event(j.type, 'BURIED'); revoke(j) end
    bury(j, 'CORRUPT')
  end
  return true
end

-- Removes a job with all that belongs to it.
local function remove(j, event)
  count_event(j.type, event)
  orphan_key(j)
  if j.from_line == DEAD then leave_dead(j) end
  leave(j)
  count_state(j.held and 17 or j.from_line, -1)
  if j.held then call('HDEL', j.held.key, j.id); call('HDEL', K.pg, j.id) end
  if j.refused then call('HDEL', K.ur, j.id) end
  call('HDEL', K.h, j.id); call('HDEL', K.p, j.id); call('HDEL', K.y, j.id); call('HDEL', K.R, j.id); call('HDEL', K.x, j.id)
  call('ZREM', K.a, member(j))
end

local function audit(action, id, who, why, detail)
  call('RPUSH', K.l, cmsgpack.pack({now_micros, action, id or '', who, why or false, detail or false}))
end

-- Accepting ---------------------------------------------------------------------------------------------------------
-- new: id, numbers, type, body, payload, explicit key or '', fingerprint. Answers a verdict.
local NUMBERS = '>BBBI8BI8I4'
local function accept(new, window, twin)
  local id, type, key, fingerprint = new[1], new[3], new[6], new[7]
  if twin == nil then twin = call('HGET', K.h, id) end
  if twin then
    local t = parse(id, twin)
    local same = t.type == type and t.b[B.fingerprint] == fingerprint and (t.b[B.key] or '') == key
    return {same and 'duplicate' or 'conflict', id, call('HGET', K.h, id) and state_name(t.line) or '',
      'id', t.b[B.fingerprint], tostring(t.created), t.type, t.b[B.key] or ''}
  end
  if key ~= '' then
    local holder, since, held = key_holder(type, key, window)
    if holder then
      local t = load(holder)
      return {held == fingerprint and 'duplicate' or 'conflict', holder, t and state_name(t.line) or '', 'key', held,
        tostring(since), type, key}
    end
  end
  local priority, kind, start, start_value, expiry, expiry_value, version = struct.unpack(NUMBERS, new[2])
  local fragile = kind % 2
  local run = start == 0 and now + start_value or math.max(now, start_value)
  local expires = expiry == 0 and 0 or expiry == 1 and now + expiry_value or expiry_value
  local seq = call('HINCRBY', K.q, 'seq', 1)
  local line = run > now and SCHEDULED or priority + (fragile == 1 and 5 or 0)
  local at = run > now and run or now
  local listed = line < 5
  call('HSET', K.h, id, struct.pack(HEAD, FORMAT, line, listed and 1 or 2, (key ~= '' and KEYED or 0) + (kind >= 2 and OWN or 0), seq, at, now, run,
    expires, #new[5], version, #new[4]) .. string.char(#type) .. type .. new[4])
  call('HSET', K.p, id, new[5])
  local place = struct.pack('>I8', seq) .. id
  if listed then call('RPUSH', K.r[line], struct.pack('>I8', at) .. place)
  else call('ZADD', set_of(line), score(line, at), place) end
  if expires > 0 then call('ZADD', K.e, expires, place) end
  call('ZADD', K.a, 0, place)
  if key ~= '' then claim_key(type, key, id, fingerprint, now) end
  count_state(line, 1); count_event(type, 'ACCEPTED'); count_kind(type, version, 1)
  if line < 15 then woken = woken + 1 end
  return {'applied', state_name(line)}
end

-- Sessions ----------------------------------------------------------------------------------------------------------
local SESSION = '>I8I8I8I8B' -- deadline, markedAt or 0, fence, newest lease call, 1 once it has ended
local function session(id)
  local found = call('HGET', K.sn, id)
  if not found then return nil end
  local s = {id=id}
  s.deadline, s.marked, s.fence, s.newest, s.ended = struct.unpack(SESSION, found)
  return s
end
local function save_session(s)
  call('HSET', K.sn, s.id, struct.pack(SESSION, s.deadline, s.marked, s.fence, s.newest, s.ended))
end
local function live_session(id) local s = session(id); return s and s.ended == 0 and s or nil end
local function spec_of(id) return cmsgpack.unpack(call('HGET', K.n, id)) end -- worker, leaseDuration, types, the rest
local function drop_session(id) call('HDEL', K.sn, id); call('HDEL', K.n, id); call('HDEL', K.cm, id); call('HDEL', K.rg, id) end
-- Whether the sessions whose holdings the caller named are all there are.
local function all_named(from)
  if call('HLEN', K.sn) ~= #ARGV - from + 1 then return false end
  for i = from, #ARGV do if call('HEXISTS', K.sn, ARGV[i]) == 0 then return false end end
  return true
end
