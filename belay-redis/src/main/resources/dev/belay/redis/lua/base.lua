-- What the scripts of a queue begin with: the time, and what is counted.
-- keys: slice next_slice events wake queue kinds
-- arguments: milliseconds to add to the server's time, 0 outside of tests; a script's own begin at ARGV[2]
local call, cmsgpack, struct = redis.call, cmsgpack, struct
local FORMAT = 1
local SCHEDULED, UNKNOWN, SUCCEEDED, CANCELLED, SUCCEEDED_OWN, CANCELLED_OWN, DEAD = 15, 16, 20, 21, 22, 23, 24
local BAND = 8796093022208 -- 2^43 milliseconds: one band of scores a priority
local HEAD = '>BBBBI8I8I8I8I8I4I4I4'
local HEAD_LENGTH = 56
-- After it come the type, a packed body, the payload where that is small (INLINE), what a plain success added (PLAINLY).
local KEYED, OWN, NOTED, PLAINLY, MARKED, INLINE = 1, 2, 4, 8, 16, 32 -- flags of a head
local HOLD = '>I8I8I8I8B' -- token, leasedAt, begunAt, seq, what to know; then the type
-- An entry in line: ready since, number, id, size of the payload, what to know; version, type.
local ENTRY_ID, ENTRY_SIZE, ENTRY_KNOW, ENTRY_KIND = 17, 33, 37, 38
-- What to know without its head. An entry: it has no other flags than INLINE and no expiry; its payload lies apart. A hold:
-- nothing but a removal is due after a success; and then where its payload lies.
local USUAL, APART = 1, 2
local PLAIN_END = 24 -- what a plain success adds to a head with the flag PLAINLY: token, session
local KEEP = 86400000 -- how long finished jobs are kept where nobody has said
local SESSION = '>I8I8I8I8B' -- deadline, markedAt or 0, fence, newest lease call, 1 once it has ended

local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000) + tonumber(ARGV[1])
-- The caller names two slices of a minute, as it does not know the server's time to the millisecond.
if math.floor(now / 60000) > tonumber(string.match(K.slice, '%d+$')) then K.slice = K.next_slice end

local function has(flags, flag) return flags % (2 * flag) >= flag end
-- How much follows the body of a head.
local function length_of_rest(flags, size)
  return (has(flags, INLINE) and size or 0) + (has(flags, PLAINLY) and PLAIN_END or 0)
end
-- Whether a head is of this format and as long as it says.
local function is_sound(head)
  if #head <= HEAD_LENGTH + 1 or string.byte(head) ~= FORMAT then return false end
  local size, _, length, named = struct.unpack('>I4I4I4B', head, HEAD_LENGTH - 11)
  return #head == HEAD_LENGTH + 1 + named + length + length_of_rest(string.byte(head, 4), size)
end
local function is_usual(flags) return flags == 0 or flags == INLINE end
local function u64(value) return struct.pack('>I8', value) end

-- Unpack's stack is short: so many values go into one command.
local MOST_VALUES = 4000
-- A command with any number of values, an even one where they are pairs.
local function many(command, key, values)
  local count = #values
  if count <= MOST_VALUES then
    if count > 0 then call(command, key, unpack(values)) end
    return
  end
  for from = 1, count, MOST_VALUES do call(command, key, unpack(values, from, math.min(count, from + MOST_VALUES - 1))) end
end
local function fields(key, names)
  if #names <= MOST_VALUES then return call('HMGET', key, unpack(names)) end
  local found = {}
  for from = 1, #names, MOST_VALUES do
    local part = call('HMGET', key, unpack(names, from, math.min(#names, from + MOST_VALUES - 1)))
    for i = 1, #part do found[from + i - 1] = part[i] end
  end
  return found
end

-- What is counted, written once at the end.
local states, events, kinds, meta, types_in_order = {}, {}, {}, {}, {}
local STATE = {[15]='n0', [16]='n0', [17]='n2', [20]='n3', [21]='n5', [22]='n3', [23]='n5', [24]='n4'}
local function state_of(line) return line < 15 and 'n1' or STATE[line] end
local function count_state(line, by) local f = state_of(line); states[f] = (states[f] or 0) + by end
local function count_event(type, event, by)
  local of = events[type]
  if not of then of = {}; events[type] = of; types_in_order[#types_in_order + 1] = type end
  of[event] = (of[event] or 0) + (by or 1)
end
local function count_kind(type, version, by) local f = type .. '\0' .. version; kinds[f] = (kinds[f] or 0) + by end

local counted = {}
local function counted_type(type)
  local as = counted[type]
  if not as then
    if call('HEXISTS', K.events, 'T' .. type) == 1 then as = type
    elseif tonumber(call('HGET', K.events, '#') or 0) < 500 then
      call('HSET', K.events, 'T' .. type, 1); call('HINCRBY', K.events, '#', 1); as = type
    else as = 'other' end
    counted[type] = as
  end
  return as
end

-- Tokens for those who wait for work: each wakes one program.
local MOST_TOKENS, TOKENS_LAST = 8, 10000
local woken = 0
local function wake()
  local missing = math.min(MOST_TOKENS, woken)
  if missing <= 0 then return end
  missing = math.min(missing, MOST_TOKENS - call('LLEN', K.wake))
  if missing <= 0 then return end
  local tokens = {}
  for i = 1, missing do tokens[i] = '1' end
  call('RPUSH', K.wake, unpack(tokens))
  call('PEXPIRE', K.wake, TOKENS_LAST)
end

local unlist_all -- of the order of acceptance, where a script has it: after the heads of removed jobs are gone
local function flush()
  if unlist_all then unlist_all() end
  for f, by in pairs(states) do if by ~= 0 then call('HINCRBY', K.queue, f, by) end end
  for f, by in pairs(meta) do if by ~= 0 then call('HINCRBY', K.queue, f, by) end end
  local fresh = false
  for _, type in ipairs(types_in_order) do
    local as = counted_type(type)
    for event, by in pairs(events[type] or {}) do
      local f = as .. '|' .. event
      call('HINCRBY', K.events, f, by)
      if call('HINCRBY', K.slice, f, by) == by then fresh = true end
    end
  end
  if fresh then call('EXPIRE', K.slice, 176400) end
  for f, by in pairs(kinds) do
    if by ~= 0 and call('HINCRBY', K.kinds, f, by) == 0 then call('HDEL', K.kinds, f) end
  end
  wake()
end

-- Makes the queue known.
local function know()
  if call('HSETNX', K.queue, 'known', 1) == 0 and call('HGET', K.queue, 'known') == '0' then
    call('HSET', K.queue, 'known', 1)
  end
end
local function is_known() return call('HGET', K.queue, 'known') == '1' end
