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

/** A mail server with a mailbox for whoever mail comes for. */
public final class MailServer implements AutoCloseable {

    /** The header by which a receipt names its order. */
    public static final String ORDER_HEADER = "X-Order";

    private final GreenMail server;

    public MailServer() {
        server = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
        server.withConfiguration(GreenMailConfiguration.aConfig().withDisabledAuthentication());
        server.start();
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
    }

    /** A message, decoded. */
    public record Mail(String subject, String text) {}
}
