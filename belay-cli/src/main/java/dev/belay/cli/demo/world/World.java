package dev.belay.cli.demo.world;

import java.net.URI;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** All of the world outside, up and running. */
public final class World implements AutoCloseable {

    private final MailServer mail = new MailServer();
    private final Crm crm;
    private final PaymentProvider payments;

    /** @param seed of its faults */
    public World(long seed) {
        crm = new Crm(random(seed));
        payments = new PaymentProvider(random(seed + 1));
    }

    public MailServer mail() {
        return mail;
    }

    public Crm crm() {
        return crm;
    }

    public PaymentProvider payments() {
        return payments;
    }

    /** Where workers find it. */
    public Address address() {
        return new Address(mail.port(), crm.uri(), payments.uri());
    }

    @Override
    public void close() {
        payments.close();
        crm.close();
        mail.close();
    }

    private static RandomGenerator random(long seed) {
        // java.util.Random: safe for use by many threads.
        return RandomGeneratorFactory.of("Random").create(seed);
    }

    /** Where workers find the world: an SMTP port on this machine, and two URLs. */
    public record Address(int smtpPort, URI crm, URI payments) {}
}
