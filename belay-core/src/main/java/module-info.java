/** Belay: API, broker SPI and engine. */
@SuppressWarnings("module") // the testkit's module is built later
module dev.belay.core {
    requires org.slf4j;
    requires static transitive org.jspecify;
    requires transitive java.sql;

    exports dev.belay;
    exports dev.belay.broker;
    exports dev.belay.delivery to
            dev.belay.testkit;
    exports dev.belay.event;
    exports dev.belay.failure;
    exports dev.belay.handler;
    exports dev.belay.job;
    exports dev.belay.once;
    exports dev.belay.operation;

    uses dev.belay.broker.BrokerProvider;
    uses dev.belay.handler.PayloadCodec;
    uses dev.belay.once.LedgerProvider;
}
