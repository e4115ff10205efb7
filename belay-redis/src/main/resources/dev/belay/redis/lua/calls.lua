-- What is remembered of a client's newest call: so one that is sent again is answered as before.
-- keys: clients client_times
-- The newest call of a client: {number, verdicts}.
local function newest_call(client)
  local found = call('HGET', K.clients, client)
  return found and cmsgpack.unpack(found) or nil
end
-- What to answer at once; nil where the call is new.
local function answered(newest, client, number)
  if not newest then return number < 1 and {'number', '0'} or nil end
  call('ZADD', K.client_times, now, client)
  if newest[1] == number then return {'ok', newest[2], 1} end
  if number <= newest[1] then return {'number', tostring(newest[1])} end
end
local function remember(newest, client, number, verdicts)
  if not newest then call('ZADD', K.client_times, now, client) end -- else answered did
  call('HSET', K.clients, client, cmsgpack.pack({number, verdicts}))
end
