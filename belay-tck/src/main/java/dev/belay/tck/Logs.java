package dev.belay.tck;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** Listens to the log: a warning or an error that no test declared as expected fails the test. Thread-safe. */
public final class Logs {

    private final Queue<ILoggingEvent> loud = new ConcurrentLinkedQueue<>();
    private final List<String> expected = new CopyOnWriteArrayList<>();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            if (event.getLevel().isGreaterOrEqual(Level.WARN)) {
                loud.add(event);
            }
        }
    };

    private Logs() {}

    static Logs attach() {
        var logs = new Logs();
        logs.appender.setName("belay-tck");
        logs.appender.start();
        root().addAppender(logs.appender);
        return logs;
    }

    void detach() {
        root().detachAppender(appender);
        appender.stop();
    }

    /** Declares that warnings and errors may come whose message contains a text. */
    public void expect(String part) {
        expected.add(part);
    }

    /** The messages of the warnings and errors so far. */
    public List<String> warnings() {
        return loud.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    void check() {
        var unexpected = new ArrayList<String>();
        for (var event : loud) {
            var message = event.getFormattedMessage();
            if (expected.stream().noneMatch(message::contains)) {
                var cause = event.getThrowableProxy();
                unexpected.add(event.getLevel() + " " + event.getLoggerName() + ": " + message
                        + (cause == null ? "" : " (" + cause.getClassName() + ": " + cause.getMessage() + ")"));
            }
        }
        if (!unexpected.isEmpty()) {
            throw new AssertionError("unexpected log events: " + unexpected);
        }
    }

    private static Logger root() {
        return (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    }
}
