(CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) + :offset)
