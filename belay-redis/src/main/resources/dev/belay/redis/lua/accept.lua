-- Accepting: what is accepted is gathered, and written in one go.
-- keys: queue heads payloads ready expiring
local NUMBERS = '>BBBI8BI8I4'
local FRAGILE, LASTING, SMALL = 1, 2, 4 -- kinds: one crash allowed, a retention of its own, a payload for its head
local fresh = {} -- what this call accepted, by id: the new job and its line
local newest_seq, first_seq
local gathered = {heads={}, payloads={}, places={}, expiring={}, entries={}, sets={}}

-- A verdict that names who is there already.
local function taken(verdict, id, line, by, fingerprint, since, type, key)
  return {verdict, id, line and state_name(line) or '', by, fingerprint, tostring(since), type, key}
end

-- new: id, numbers, type, body, payload, explicit key or '', fingerprint. Answers a verdict.
-- twin: the head of who has that id, or false
local function accept(new, window, twin)
  local id, type, key, fingerprint = new[1], new[3], new[6], new[7]
  local other = fresh[id]
  if other then
    local n = other.new
    local same = n[3] == type and n[7] == fingerprint and n[6] == key
    return taken(same and 'duplicate' or 'conflict', id, other.line, 'id', n[7], now, n[3], n[6])
  end
  if twin then
    local t = parse(id, twin)
    local its_key = t.b[B.key] or ''
    local same = t.type == type and t.b[B.fingerprint] == fingerprint and its_key == key
    return taken(same and 'duplicate' or 'conflict', id, t.line, 'id', t.b[B.fingerprint], t.created, t.type, its_key)
  end
  if key ~= '' then
    local holder, since, held = key_holder(type, key, window)
    if holder then
      other = fresh[holder] or load(holder)
      return taken(held == fingerprint and 'duplicate' or 'conflict', holder, other and other.line, 'key', held, since, type, key)
    end
  end
  local priority, kind, start, start_value, expiry, expiry_value, version = struct.unpack(NUMBERS, new[2])
  local fragile, lasting, small = has(kind, FRAGILE), has(kind, LASTING), has(kind, SMALL)
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
    (key ~= '' and KEYED or 0) + (lasting and OWN or 0) + (small and INLINE or 0), newest_seq, at, now, run, expires, #new[5],
    version, #new[4]) .. string.char(#type) .. type .. new[4] .. (small and new[5] or '')
  if not small then
    g.payloads[#g.payloads + 1] = id
    g.payloads[#g.payloads + 1] = new[5]
  end
  g.places[#g.places + 1] = u64(newest_seq)
  g.places[#g.places + 1] = id
  if listed then
    local entries = g.entries[line] or {}
    g.entries[line] = entries
    local know = (key == '' and not lasting and expires == 0 and USUAL or 0) + (small and 0 or APART)
    entries[#entries + 1] = u64(at) .. place .. struct.pack('>I4BI4', #new[5], know, version) .. type
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
  if key ~= '' then claim_key(type, key, id, fingerprint, now) end
  fresh[id] = {new=new, line=line}
  count_state(line, 1); count_event(type, 'ACCEPTED'); count_kind(type, version, 1)
  if line < 15 then woken = woken + 1 end
  return {'applied', state_name(line)}
end

-- Once, at the end.
local function store_accepted()
  if not newest_seq then return end
  local g = gathered
  call('HSET', K.queue, 'seq', newest_seq)
  many('HSET', K.heads, g.heads)
  many('HSET', K.payloads, g.payloads)
  for line, entries in pairs(g.entries) do many('RPUSH', K.ready[line], entries) end
  for line, set in pairs(g.sets) do many('ZADD', set_of(line), set) end
  many('ZADD', K.expiring, g.expiring)
  enlist(first_seq, g.places)
end
