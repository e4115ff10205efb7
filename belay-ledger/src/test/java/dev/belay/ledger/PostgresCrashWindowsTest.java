package dev.belay.ledger;

class PostgresCrashWindowsTest extends CrashWindows {
    @Override
    TestDatabase database() {
        return TestDatabase.postgres();
    }
}
