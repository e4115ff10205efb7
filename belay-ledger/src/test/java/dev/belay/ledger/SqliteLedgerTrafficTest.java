package dev.belay.ledger;

class SqliteLedgerTrafficTest extends LedgerTraffic {
    @Override
    TestDatabase database() {
        return TestDatabase.sqlite();
    }

    @Override
    int statementsToReserve() {
        return 3;
    }
}
