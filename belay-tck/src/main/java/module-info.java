/** The contract suites that every Belay broker passes. */
module dev.belay.tck {
    requires transitive dev.belay.core;
    requires transitive org.junit.jupiter.api;
    requires transitive org.junit.jupiter.params;
    requires static transitive org.jspecify;
    requires awaitility;
    requires ch.qos.logback.classic;
    requires ch.qos.logback.core;
    requires java.management;
    requires org.assertj.core;
    requires org.opentest4j;
    requires org.slf4j;

    exports dev.belay.tck;
    exports dev.belay.tck.contract;
    exports dev.belay.tck.crash;
    exports dev.belay.tck.engine;
    exports dev.belay.tck.fault;
    exports dev.belay.tck.model;
    exports dev.belay.tck.transaction;

    opens dev.belay.tck.contract;
    opens dev.belay.tck.crash;
    opens dev.belay.tck.engine;
    opens dev.belay.tck.model;
    opens dev.belay.tck.transaction;

    uses dev.belay.tck.BrokerHarness;
    uses dev.belay.tck.ModelOracle;
}
