package dev.belay.ledger;

class PostgresLedgerTrafficTest extends LedgerTraffic {
    @Override
    TestDatabase database() {
        return TestDatabase.postgres();
    }

    @Override
    int statementsToReserve() {
        return 1;
    }
}
