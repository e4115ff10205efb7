package dev.belay.ledger;

class SqliteLedgerTest extends LedgerContract {
    @Override
    TestDatabase database() {
        return TestDatabase.sqlite();
    }
}
