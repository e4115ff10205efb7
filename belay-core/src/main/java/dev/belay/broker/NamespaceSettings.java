package dev.belay.broker;

import dev.belay.job.Limits;
import java.time.Duration;

/**
 * Settings of a namespace, kept in the broker, so that every program obeys the same.
 *
 * @param reapInterval between two reaper passes
 * @param reapGrace how long a session's mark must stand before it is ended
 * @param dedupWindow how long an explicit key is remembered, at least
 * @param unknownTypeLimit how long a job of a type that no worker knows is put off before it is buried
 * @param auditRetention how long the audit log is kept
 * @param maxPayloadBytes the largest payload
 */
public record NamespaceSettings(
        Duration reapInterval,
        Duration reapGrace,
        Duration dedupWindow,
        Duration unknownTypeLimit,
        Duration auditRetention,
        int maxPayloadBytes) {

    public static final NamespaceSettings DEFAULT = new NamespaceSettings(
            Duration.ofSeconds(2),
            Duration.ofSeconds(10),
            Duration.ofHours(24),
            Duration.ofHours(24),
            Duration.ofDays(90),
            Limits.PAYLOAD_BYTES);

    public NamespaceSettings {
        Limits.positive("reapInterval", reapInterval);
        Limits.positive("reapGrace", reapGrace);
        Limits.wait("dedupWindow", dedupWindow);
        Limits.positive("unknownTypeLimit", unknownTypeLimit);
        Limits.positive("auditRetention", auditRetention);
        Limits.range("maxPayloadBytes", maxPayloadBytes, 1, 512 * 1024 * 1024);
    }

    /** The same with another pace of reaping. */
    public NamespaceSettings withReaping(Duration interval, Duration grace) {
        return new NamespaceSettings(interval, grace, dedupWindow, unknownTypeLimit, auditRetention, maxPayloadBytes);
    }
}
