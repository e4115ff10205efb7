/** Belay's idempotency ledger, on plain JDBC. */
module dev.belay.ledger {
    requires transitive dev.belay.core;
    requires dev.belay.jdbc;
    requires com.zaxxer.hikari;
    requires org.slf4j;
    requires static transitive org.jspecify;

    exports dev.belay.ledger;

    provides dev.belay.once.LedgerProvider with
            dev.belay.ledger.JdbcLedgerProvider;
}
