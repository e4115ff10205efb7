package dev.belay.ledger;

class PostgresOutboxTest extends OutboxContract {
    @Override
    TestDatabase database() {
        return TestDatabase.postgres();
    }
}
