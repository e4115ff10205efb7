package dev.belay.ledger;

class SqliteIdempotencyCasesTest extends IdempotencyCases {
    @Override
    TestDatabase database() {
        return TestDatabase.sqlite();
    }
}
