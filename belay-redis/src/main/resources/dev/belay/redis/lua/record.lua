-- Adds observed times to the histograms of a queue.
-- arguments: type, kind, bucket, how many, for each
-- answers: 'OK'
-- invariant: histograms merge by adding
-- cost: O(buckets)
call('HDEL', K.q, 'full')
for i = 2, #ARGV, 4 do
  local f = 'h|' .. counted_type(ARGV[i]) .. '|' .. ARGV[i + 1] .. '|' .. ARGV[i + 2]
  call('HINCRBY', K.v, f, ARGV[i + 3])
  call('HINCRBY', K.vs, f, ARGV[i + 3])
end
call('EXPIRE', K.vs, 176400)
return 'OK'
