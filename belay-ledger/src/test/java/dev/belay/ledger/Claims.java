package dev.belay.ledger;

import dev.belay.job.Fingerprint;
import dev.belay.job.JobId;
import dev.belay.job.LeaseId;
import dev.belay.job.SessionId;
import dev.belay.once.Claim;
import dev.belay.once.Owner;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Claims of deliveries, made up. */
final class Claims {

    static final String SCOPE = "belay/charge";
    static final JobId JOB = JobId.next();

    private Claims() {}

    static Owner.Delivery delivery(JobId job, long token) {
        return delivery(job, token, 0);
    }

    static Owner.Delivery delivery(JobId job, long token, int replays) {
        return new Owner.Delivery("store-1", new LeaseId("payments", job, token, SessionId.next()), replays);
    }

    static Claim claim(String key, Owner owner) {
        return new Claim(SCOPE, key, null, false, null, owner);
    }

    static Claim claim(String key, @Nullable String request, Owner owner) {
        return new Claim(SCOPE, key, request == null ? null : fingerprint(request), false, null, owner);
    }

    static Claim atMostOnce(String key, Owner owner) {
        return new Claim(SCOPE, key, null, true, null, owner);
    }

    static Fingerprint fingerprint(String request) {
        return Fingerprint.of(request.getBytes(StandardCharsets.UTF_8));
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
