package dev.belay.ledger;

class PostgresLedgerRaceTest extends LedgerRace {
    @Override
    TestDatabase database() {
        return TestDatabase.postgres();
    }
}
