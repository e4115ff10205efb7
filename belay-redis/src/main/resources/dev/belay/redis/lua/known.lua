-- Brings back, in bounded steps, what was put off for want of somebody who knows its type.
-- keys: refusals refused
-- arguments: the cursor of the step before, '0' at first; type, newest version for each type that a session knows
-- answers: {cursor of the next step, '0' after the last}
-- invariant: a job whose type is known is not marked as refused
-- cost: O(50) a step
local knows = {}
for i = 3, #ARGV, 2 do
  knows[ARGV[i]] = tonumber(ARGV[i + 1])
end
local function known(f)
  local type, version = string.match(f, '^(.-)%z(.*)$')
  return knows[type] and knows[type] >= tonumber(version)
end
if ARGV[2] == '0' then
  for _, f in ipairs(call('HKEYS', K.refusals)) do if known(f) then call('HDEL', K.refusals, f) end end
end
local found = call('HSCAN', K.refused, ARGV[2], 'COUNT', 50)
for i = 1, #found[2], 2 do
  local id, f = found[2][i], found[2][i + 1]
  if known(f) then
    call('HDEL', K.refused, id)
    local j = load(id)
    if j and not j.corrupt and not j.newer and j.b[B.unknown] then
      j.b[B.unknown], j.refused = false, false
      if j.line == UNKNOWN then j.run, j.at, j.line = now, now, SCHEDULED; settle_down(j); woken = woken + 1
      else write(j) end
    end
  end
end
flush()
return {found[1]}
