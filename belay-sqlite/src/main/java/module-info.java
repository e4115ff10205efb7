/** The embedded broker: one SQLite file. */
module dev.belay.sqlite {
    requires transitive dev.belay.core;
    requires dev.belay.sql;
    requires java.sql;
    requires org.slf4j;
    requires org.xerial.sqlitejdbc;
    requires static transitive org.jspecify;

    exports dev.belay.sqlite;

    provides dev.belay.broker.BrokerProvider with
            dev.belay.sqlite.SqliteBrokerProvider;
}
