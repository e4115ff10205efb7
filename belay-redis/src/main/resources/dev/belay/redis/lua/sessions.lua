-- Sessions of workers.
-- keys: sessions specs commands registrations
local function spec_of(id) return cmsgpack.unpack(call('HGET', K.specs, id)) end -- worker, leaseDuration, types, the rest
local function drop_session(id) call('HDEL', K.sessions, id); call('HDEL', K.specs, id); call('HDEL', K.commands, id); call('HDEL', K.registrations, id) end
-- Whether the sessions whose holdings the caller named are all there are.
local function all_named(from)
  if call('HLEN', K.sessions) ~= #ARGV - from + 1 then return false end
  for i = from, #ARGV do if call('HEXISTS', K.sessions, ARGV[i]) == 0 then return false end end
  return true
end
