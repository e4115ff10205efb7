-- Sessions of workers.
-- keys: sessions specs commands registrations
local function spec_of(id) return cmsgpack.unpack(call('HGET', K.specs, id)) end -- worker, leaseDuration, types, the rest
local function drop_session(id) call('HDEL', K.sessions, id); call('HDEL', K.specs, id); call('HDEL', K.commands, id); call('HDEL', K.registrations, id) end
