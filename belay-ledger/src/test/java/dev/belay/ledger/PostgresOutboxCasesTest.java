package dev.belay.ledger;

import java.sql.Connection;
import java.util.List;

class PostgresOutboxCasesTest extends OutboxCases {
    @Override
    TestDatabase database() {
        return TestDatabase.postgres();
    }

    @Override
    List<Integer> levels() {
        return List.of(
                Connection.TRANSACTION_READ_COMMITTED,
                Connection.TRANSACTION_REPEATABLE_READ,
                Connection.TRANSACTION_SERIALIZABLE);
    }
}
