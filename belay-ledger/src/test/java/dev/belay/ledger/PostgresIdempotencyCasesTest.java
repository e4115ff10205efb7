package dev.belay.ledger;

class PostgresIdempotencyCasesTest extends IdempotencyCases {
    @Override
    TestDatabase database() {
        return TestDatabase.postgres();
    }
}
