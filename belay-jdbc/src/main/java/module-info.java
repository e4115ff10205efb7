/** JDBC plumbing for Belay's SQL modules. */
module dev.belay.jdbc {
    requires transitive dev.belay.core;
    requires transitive java.sql;
    requires static transitive org.jspecify;

    exports dev.belay.jdbc;
}
