/** What the brokers in SQL databases share: the rows of jobs, the moves between states, and what people see. */
module dev.belay.sql {
    requires transitive dev.belay.core;
    requires transitive dev.belay.jdbc;
    requires java.sql;
    requires org.slf4j;
    requires static transitive org.jspecify;

    exports dev.belay.sql to
            dev.belay.sqlite,
            dev.belay.postgres;
    exports dev.belay.sql.row to
            dev.belay.sqlite,
            dev.belay.postgres;
    exports dev.belay.sql.step to
            dev.belay.sqlite,
            dev.belay.postgres;
    exports dev.belay.sql.view to
            dev.belay.sqlite,
            dev.belay.postgres;
}
