package dev.belay.ledger;

class SqliteOutboxTest extends OutboxContract {
    @Override
    TestDatabase database() {
        return TestDatabase.sqlite();
    }
}
