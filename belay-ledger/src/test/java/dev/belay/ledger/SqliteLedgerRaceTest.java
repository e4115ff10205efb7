package dev.belay.ledger;

class SqliteLedgerRaceTest extends LedgerRace {
    @Override
    TestDatabase database() {
        return TestDatabase.sqlite();
    }
}
