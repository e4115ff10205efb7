-- Accepting: what is accepted is gathered, and written in one go.
-- keys: queue heads payloads ready expiring keys orphans
local NUMBERS = '>BBBI8BI8I4'
local FRAGILE, ITS_OWN, REPLACES = 1, 2, 4 -- bits of the second number: one crash, a retention of its own, replaces what waits
local function has(bits, bit) return math.floor(bits / bit) % 2 == 1 end
local fresh = {} -- what this call accepted, by id: the new job and its line
local changed = {} -- whose payload this call replaced, by id: heads that were read before say nothing of it
local fresh_keys = {} -- by key: what of it is not stored yet
local newest_seq, first_seq
local gathered
local function gather() gathered = {heads={}, payloads={}, places={}, expiring={}, entries={}, sets={}, keys={}} end
gather()

-- The in-flight sets of all sessions, where the caller has named them: else nobody knows here whether a job runs.
local flights
local UNNAMED = {'sessions'} -- the verdict where that must be known: so far nothing was written
local function runs(id)
  for _, flight in ipairs(flights) do if call('HEXISTS', flight, id) == 1 then return true end end
  return false
end
local function is_to_start(j)
  return is_waiting(j.line) and not (j.expires > 0 and j.expires <= now) and not runs(j.id)
end

-- A verdict that names who is there already.
local function taken(verdict, id, line, by, fingerprint, since, type, key)
  if line and flights and is_waiting(line) and runs(id) then line = 17 end
  return {verdict, id, line and state_name(line) or '', by, fingerprint, tostring(since), type, key}
end

-- Writes what was gathered so far: at the end, or before a step that must find it.
local function store_accepted()
  if not newest_seq then return end
  local g = gathered
  call('HSET', K.queue, 'seq', newest_seq)
  many('HSET', K.heads, g.heads)
  many('HSET', K.payloads, g.payloads)
  for line, entries in pairs(g.entries) do many('RPUSH', K.ready[line], entries) end
  for line, set in pairs(g.sets) do many('ZADD', set_of(line), set) end
  many('ZADD', K.expiring, g.expiring)
  many('HSET', K.keys, g.keys)
  for i = 1, #g.keys, 2 do call('ZREM', K.orphans, g.keys[i]) end
  enlist(first_seq, g.places)
  newest_seq = nil
  fresh_keys = {}
  gather()
end

-- Who holds a key that counts: id, since, fingerprint, line or nil where it is gone, the job where it is stored; or UNNAMED.
local function counting_holder(type, key, window)
  local mine = fresh_keys[type .. '\0' .. key]
  if mine then return mine[1], now, mine[2], fresh[mine[1]].line end
  local holder, since, fingerprint = key_holder(type, key, window)
  if not holder then return nil end
  local j = load(holder)
  if j and counts_while_waiting(j) then
    if is_waiting(j.line) and not flights then return UNNAMED end
    if not is_to_start(j) then return nil end
  end
  return holder, since, fingerprint, j and j.line, j
end

local function by_id(new, twin)
  local id, type, key, fingerprint = new[1], new[3], new[6], new[7]
  local other = fresh[id]
  if other then
    local n = other.new
    local same = n[3] == type and n[7] == fingerprint and n[6] == key
    return taken(same and 'duplicate' or 'conflict', id, other.line, 'id', n[7], now, n[3], n[6])
  end
  if changed[id] then twin = call('HGET', K.heads, id) end
  if twin then
    local t = parse(id, twin)
    local its_key = t.b[B.key] or ''
    local same = t.type == type and t.b[B.fingerprint] == fingerprint and its_key == key
    return taken(same and 'duplicate' or 'conflict', id, t.line, 'id', t.b[B.fingerprint], t.created, t.type, its_key)
  end
end

-- Why a job can't be accepted: a verdict, nil where it can; and who is to give its payload up, where that is asked.
-- new: id, numbers, type, body, payload, explicit key or '', fingerprint; twin: the head of who has that id, or false;
-- never: whether nothing is to be replaced, whatever it asks
local function obstacle(new, window, twin, never)
  local id, type, key, fingerprint = new[1], new[3], new[6], new[7]
  local replaces = key ~= '' and not never and has(string.byte(new[2], 2), REPLACES)
  local met = by_id(new, twin)
  if key == '' or (met and not (replaces and met[1] == 'conflict')) then return met end
  local holder, since, held, line, j = counting_holder(type, key, window)
  if holder == UNNAMED then return UNNAMED end
  if met and holder ~= id then return met end
  if not holder then return nil end
  if held == fingerprint then return taken('duplicate', holder, line, 'key', held, since, type, key) end
  if replaces then
    if not flights then return UNNAMED end
    if fresh[holder] and not j then store_accepted(); j = load(holder) end
    if j and not j.corrupt and not j.newer and is_to_start(j) then return nil, j end
  end
  return met or taken('conflict', holder, line, 'key', held, since, type, key)
end

local function hex(bytes) return (string.gsub(bytes, '.', function(c) return string.format('%02x', string.byte(c)) end)) end
-- Gives a job that waits the payload of another request with its key. Its place in line and its time stay.
local function replace_payload(j, new)
  local b, fingerprint, version = j.b, new[7], struct.unpack('>I4', new[2], #new[2] - 3)
  note(j, 'REPLACED', 'enqueue', nil,
    'the payload with fingerprint ' .. hex(b[B.fingerprint]) .. ' became one with fingerprint ' .. hex(fingerprint))
  if version ~= j.version then
    count_kind(j.type, j.version, -1)
    count_kind(j.type, version, 1)
    b[B.unknown] = false -- nobody has refused this version
    if j.line == UNKNOWN then j.line = SCHEDULED end
  end
  b[B.encoding], b[B.fingerprint] = cmsgpack.unpack(new[4])[B.encoding], fingerprint
  j.version, j.size = version, #new[5]
  call('HSET', K.payloads, j.id, new[5])
  local f, row = holds_key(j)
  if f then call('HSET', K.keys, f, string.sub(row, 1, 24) .. fingerprint) end
  changed[j.id] = true
  if fresh[j.id] then fresh[j.id].new[7] = fingerprint end
  settle_down(j) -- an entry in a list says size and version
  if j.line < 15 then woken = woken - 1 end
  return {'replaced', j.id, state_name(j.line)}
end

-- Answers a verdict. Its arguments are those of obstacle.
local function accept(new, window, twin)
  local verdict, waiting = obstacle(new, window, twin)
  if verdict then return verdict end
  if waiting then return replace_payload(waiting, new) end
  local id, type, key, fingerprint = new[1], new[3], new[6], new[7]
  local priority, kind, start, start_value, expiry, expiry_value, version = struct.unpack(NUMBERS, new[2])
  local fragile = has(kind, FRAGILE)
  local run = start == 0 and now + start_value or math.max(now, start_value)
  local expires = expiry == 0 and 0 or expiry == 1 and now + expiry_value or expiry_value
  if not newest_seq then
    newest_seq = tonumber(call('HGET', K.queue, 'seq') or 0)
    first_seq = newest_seq + 1
  end
  newest_seq = newest_seq + 1
  local line = run > now and SCHEDULED or priority + (fragile and 5 or 0)
  local at = run > now and run or now
  local listed = line < 5
  local g, place = gathered, u64(newest_seq) .. id
  g.heads[#g.heads + 1] = id
  g.heads[#g.heads + 1] = struct.pack(HEAD, FORMAT, line, listed and 1 or 2,
    (key ~= '' and KEYED or 0) + (has(kind, ITS_OWN) and OWN or 0), newest_seq, at, now, run, expires, #new[5], version, #new[4])
    .. string.char(#type) .. type .. new[4]
  g.payloads[#g.payloads + 1] = id
  g.payloads[#g.payloads + 1] = new[5]
  g.places[#g.places + 1] = u64(newest_seq)
  g.places[#g.places + 1] = id
  if listed then
    local entries = g.entries[line] or {}
    g.entries[line] = entries
    local usual = key == '' and not has(kind, ITS_OWN) and expires == 0
    entries[#entries + 1] = u64(at) .. place .. struct.pack('>I4BI4', #new[5], usual and 1 or 0, version) .. type
  else
    local set = g.sets[line] or {}
    g.sets[line] = set
    set[#set + 1] = score(line, at)
    set[#set + 1] = place
  end
  if expires > 0 then
    g.expiring[#g.expiring + 1] = expires
    g.expiring[#g.expiring + 1] = place
  end
  if key ~= '' then
    local f = type .. '\0' .. key
    fresh_keys[f] = {id, fingerprint}
    g.keys[#g.keys + 1] = f
    g.keys[#g.keys + 1] = id .. u64(now) .. fingerprint
  end
  fresh[id] = {new=new, line=line}
  count_state(line, 1); count_event(type, 'ACCEPTED'); count_kind(type, version, 1)
  if line < 15 then woken = woken + 1 end
  return {'applied', state_name(line)}
end
