-- Ends a session at its worker's wish: what it holds becomes ready, at no cost.
-- keys: queue; then its in-flight set
-- arguments: session
-- answers: {id, type, reason} for each that died
-- invariant: a session is removed in the step that finds it empty
-- cost: O(what it holds)
call('HDEL', K.queue, 'full')
local flight = KEYS[FIRST]
if not session(ARGV[2]) then return {} end
local spec = spec_of(ARGV[2])
local all = call('HGETALL', flight)
for i = 1, #all, 2 do
  local j = load_held(all[i], flight, all[i + 1], spec[1], ARGV[2])
  if not j then call('HDEL', flight, all[i])
  elseif is_corrupt(j) then died(j, 'CORRUPT')
  elseif at_most_once(j) then bury_as_lost(j)
  else give_back(j) end
end
drop_session(ARGV[2])
flush()
return deaths
