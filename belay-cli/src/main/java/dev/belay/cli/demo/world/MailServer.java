package dev.belay.cli.demo.world;

import com.icegreen.greenmail.configuration.GreenMailConfiguration;
import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import jakarta.mail.MessagingException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A mail server with a mailbox for whoever mail comes for. */
public final class MailServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(MailServer.class);

    /** The header by which a receipt names its order. */
    public static final String ORDER_HEADER = "X-Order";

    private static final String SMTP_THREAD = "smtp:";

    private final GreenMail server;
    private final AtomicInteger cut = new AtomicInteger();
    private final Thread.@Nullable UncaughtExceptionHandler handlerBefore = Thread.getDefaultUncaughtExceptionHandler();

    public MailServer() {
        server = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
        server.withConfiguration(GreenMailConfiguration.aConfig().withDisabledAuthentication());
        // A client that is killed in the middle of a mail ends the server's thread for it, by an exception of its own.
        Thread.setDefaultUncaughtExceptionHandler(this::onUncaught);
        server.start();
    }

    /** How many connections were cut in the middle: their clients died. */
    public int cut() {
        return cut.get();
    }

    private void onUncaught(Thread thread, Throwable thrown) {
        if (thread.getName().startsWith(SMTP_THREAD)) {
            cut.incrementAndGet();
        } else if (handlerBefore != null) {
            handlerBefore.uncaughtException(thread, thrown);
        } else {
            LOG.error("thread {} ended", thread.getName(), thrown);
        }
    }

    public int port() {
        return server.getSmtp().getPort();
    }

    /** What arrived, by order. */
    public Map<String, List<Mail>> received() {
        var received = new HashMap<String, List<Mail>>();
        try {
            for (var message : server.getReceivedMessages()) {
                var order = message.getHeader(ORDER_HEADER, null);
                received.computeIfAbsent(order == null ? "" : order, k -> new ArrayList<>())
                        .add(new Mail(message.getSubject(), message.getContent().toString()));
            }
        } catch (MessagingException | IOException e) {
            throw new IllegalStateException("a message in the mail server can't be read", e);
        }
        return received;
    }

    @Override
    public void close() {
        server.stop();
        Thread.setDefaultUncaughtExceptionHandler(handlerBefore);
    }

    /** A message, decoded. */
    public record Mail(String subject, String text) {}
}
