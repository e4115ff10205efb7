(CAST(EXTRACT(EPOCH FROM statement_timestamp()) * 1000 AS BIGINT) + :offset)
