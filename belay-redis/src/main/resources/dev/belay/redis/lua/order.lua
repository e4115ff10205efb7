-- The order of acceptance, for lists: runs of (number, id), each run within a block of 64 numbers. A removed job leaves its
-- entry behind; a block goes with its last job, and is written anew once few are left of it.
-- keys: blocks all heads
local BLOCK, FEW, ENTRY = 64, 8, 24

-- Numbers and ids in turn, of consecutive numbers from first on.
local function enlist(first, places)
  local pairs_of, count = {}, #places / 2
  local from = 1
  while from <= count do
    local block = math.floor((first + from - 1) / BLOCK)
    local to = math.min(count, (block + 1) * BLOCK - first)
    pairs_of[#pairs_of + 1] = 0
    pairs_of[#pairs_of + 1] = table.concat(places, '', 2 * from - 1, 2 * to)
    call('HINCRBY', K.blocks, block, to - from + 1)
    from = to + 1
  end
  many('ZADD', K.all, pairs_of)
end

local unlisted = {}
local function unlist(seq)
  local block = math.floor(seq / BLOCK)
  unlisted[block] = (unlisted[block] or 0) + 1
end

-- What still lies in a block: its runs, and the places of jobs that are there.
local function rest_of(block)
  local runs = call('ZRANGEBYLEX', K.all, '[' .. u64(block * BLOCK), '(' .. u64((block + 1) * BLOCK))
  local places, ids = {}, {}
  for _, run in ipairs(runs) do
    for at = 1, #run, ENTRY do
      places[#places + 1] = string.sub(run, at, at + ENTRY - 1)
      ids[#ids + 1] = string.sub(run, at + 8, at + ENTRY - 1)
    end
  end
  local kept = {}
  for i, head in ipairs(#ids > 0 and fields(K.heads, ids) or {}) do
    -- A head that can't be read may not say its number.
    if head and (#head <= HEAD_LENGTH or string.byte(head) < FORMAT or string.sub(head, 5, 12) == string.sub(places[i], 1, 8))
      then kept[#kept + 1] = places[i] end
  end
  return runs, kept
end

unlist_all = function()
  for block, count in pairs(unlisted) do
    local left = call('HINCRBY', K.blocks, block, -count)
    if left <= 0 then
      call('HDEL', K.blocks, block)
      call('ZREMRANGEBYLEX', K.all, '[' .. u64(block * BLOCK), '(' .. u64((block + 1) * BLOCK))
    elseif left <= FEW and left + count > FEW then
      local runs, kept = rest_of(block)
      many('ZREM', K.all, runs)
      if #kept > 0 then call('ZADD', K.all, 0, table.concat(kept)) end
    end
  end
  unlisted = {}
end
