-- The sessions of a queue, whose in-flight sets only a caller can name.
-- keys: sessions
-- Whether the sessions whose holdings the caller named are all there are.
local function all_named(from)
  if call('HLEN', K.sessions) ~= #ARGV - from + 1 then return false end
  for i = from, #ARGV do if call('HEXISTS', K.sessions, ARGV[i]) == 0 then return false end end
  return true
end
local function named_flights()
  local flights = {}
  for i = FIRST, #KEYS do flights[#flights + 1] = KEYS[i] end
  return flights
end
