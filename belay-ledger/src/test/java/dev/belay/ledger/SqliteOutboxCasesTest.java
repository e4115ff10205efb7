package dev.belay.ledger;

import java.sql.Connection;
import java.util.List;

class SqliteOutboxCasesTest extends OutboxCases {
    @Override
    TestDatabase database() {
        return TestDatabase.sqlite();
    }

    @Override
    List<Integer> levels() {
        return List.of(Connection.TRANSACTION_SERIALIZABLE);
    }
}
