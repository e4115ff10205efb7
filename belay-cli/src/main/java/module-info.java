/** The belay command. Exports nothing: it is a program. */
module dev.belay.cli {
    requires dev.belay.postgres;
    requires com.zaxxer.hikari;
    requires dev.belay.core;
    requires dev.belay.ledger;
    requires greenmail;
    requires info.picocli;
    requires jakarta.mail;
    requires lettuce.core;
    requires java.desktop;
    requires java.net.http;
    requires java.sql;
    requires jdk.httpserver;
    requires net.coobird.thumbnailator;
    requires static org.jspecify;
    requires jdk.management;
    requires org.slf4j;
    requires tools.jackson.databind;

    opens dev.belay.cli to
            info.picocli;
    opens dev.belay.cli.bench to
            info.picocli;
    opens dev.belay.cli.command to
            info.picocli;
    opens dev.belay.cli.demo to
            info.picocli,
            tools.jackson.databind;
    opens dev.belay.cli.shell to
            info.picocli;
}
