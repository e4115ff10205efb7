-- What decides whether a session may lease.
-- keys: sessions
local function session(id)
  local found = call('HGET', K.sessions, id)
  if not found then return nil end
  local s = {id=id}
  s.deadline, s.marked, s.fence, s.newest, s.ended = struct.unpack(SESSION, found)
  return s
end
local function save_session(s)
  call('HSET', K.sessions, s.id, struct.pack(SESSION, s.deadline, s.marked, s.fence, s.newest, s.ended))
end
local function live_session(id) local s = session(id); return s and s.ended == 0 and s or nil end
-- Whether a lease call of that number may not lease any more; goes_on: whether it is a further step of a call.
local function is_fenced(s, number, goes_on)
  return number <= s.fence or number < s.newest or (number == s.newest and not goes_on)
end
