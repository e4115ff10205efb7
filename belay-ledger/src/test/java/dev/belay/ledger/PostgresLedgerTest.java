package dev.belay.ledger;

class PostgresLedgerTest extends LedgerContract {
    @Override
    TestDatabase database() {
        return TestDatabase.postgres();
    }
}
