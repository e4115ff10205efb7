/** The transactional broker: PostgreSQL. */
module dev.belay.postgres {
    requires transitive dev.belay.core;
    requires transitive java.sql;
    requires com.zaxxer.hikari;
    requires dev.belay.sql;
    requires org.postgresql.jdbc;
    requires org.slf4j;
    requires static transitive org.jspecify;

    exports dev.belay.postgres;

    provides dev.belay.broker.BrokerProvider with
            dev.belay.postgres.PostgresBrokerProvider;
}
