-- Extends a session; never creates one.
-- keys: queue commands progress sessions; then its in-flight set
-- arguments: session, number of the last command seen, then id, token, progress for each lease whose progress changed
-- answers: {'ENDED'} or {'OK', the packed commands, 1 where paused, how many live sessions}
-- invariant: a mark is cleared with the deadline's move
-- cost: O(changes of progress + sessions of the queue)
call('HDEL', K.queue, 'full')
local s = live_session(ARGV[2])
if not s then return {'ENDED'} end
local spec = spec_of(ARGV[2])
s.deadline, s.marked = now + spec[2], 0
save_session(s)
local seen = tonumber(ARGV[3])
local found = call('HGET', K.commands, ARGV[2])
local commands = {}
if found then
  local c = cmsgpack.unpack(found)
  local kept = {c[1]}
  for i = 2, #c do if c[i][1] > seen then kept[#kept + 1] = c[i]; commands[#commands + 1] =
    {tostring(c[i][1]), c[i][2], c[i][3], tostring(c[i][4])} end end
  if #kept < #c then call('HSET', K.commands, ARGV[2], cmsgpack.pack(kept)) end
end
for i = 4, #ARGV, 3 do
  local hold = call('HGET', KEYS[FIRST], ARGV[i])
  if hold and struct.unpack('>I8', hold) == tonumber(ARGV[i + 1]) then
    call('HSET', K.progress, ARGV[i], ARGV[i + 2])
    if string.byte(hold, 33) ~= 0 then
      call('HSET', KEYS[FIRST], ARGV[i], string.sub(hold, 1, 32) .. '\0' .. string.sub(hold, 34))
    end
  end
end
local live = 0
for _, packed in ipairs(call('HVALS', K.sessions)) do if string.byte(packed, 33) == 0 then live = live + 1 end end
return {'OK', commands, call('HGET', K.queue, 'paused') == '1' and 1 or 0, live}
