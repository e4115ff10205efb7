package dev.belay.ledger;

class SqliteCrashWindowsTest extends CrashWindows {
    @Override
    TestDatabase database() {
        return TestDatabase.sqlite();
    }
}
