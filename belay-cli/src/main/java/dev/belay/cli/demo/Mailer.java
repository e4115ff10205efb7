package dev.belay.cli.demo;

import dev.belay.cli.demo.ShopJobs.Receipt;
import dev.belay.cli.demo.world.MailServer;
import dev.belay.handler.JobContext;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.io.UnsupportedEncodingException;
import java.nio.charset.StandardCharsets;
import java.util.Properties;

/** Sends receipts by SMTP. */
final class Mailer {

    private static final String UTF_8 = StandardCharsets.UTF_8.name();
    private static final String TIMEOUT_MILLIS = "5000";

    private final Session session;

    Mailer(int port) {
        var settings = new Properties();
        settings.put("mail.smtp.host", "127.0.0.1");
        settings.put("mail.smtp.port", Integer.toString(port));
        settings.put("mail.smtp.localhost", "localhost");
        settings.put("mail.smtp.connectiontimeout", TIMEOUT_MILLIS);
        settings.put("mail.smtp.timeout", TIMEOUT_MILLIS);
        settings.put("mail.smtp.writetimeout", TIMEOUT_MILLIS);
        session = Session.getInstance(settings);
    }

    void send(Receipt receipt, JobContext context) throws MessagingException, UnsupportedEncodingException {
        var message = new MimeMessage(session);
        message.setFrom(new InternetAddress("shop@shop.example", "Belay's shop", UTF_8));
        message.setRecipient(Message.RecipientType.TO, new InternetAddress(receipt.email(), receipt.name(), UTF_8));
        message.setSubject(receipt.subject(), UTF_8);
        message.setText(receipt.text(), UTF_8);
        message.setHeader(MailServer.ORDER_HEADER, receipt.order());
        // Where a mail is sent twice after a crash, its reader's program can tell: the key stays the same.
        message.setHeader("X-Idempotency-Key", context.idempotencyKey());
        Transport.send(message);
    }
}
