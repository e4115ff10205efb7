package dev.belay.broker;

import dev.belay.job.By;
import dev.belay.job.JobId;
import org.jspecify.annotations.Nullable;

/**
 * One entry of the audit log: an operator's action, or a tombstone.
 *
 * @param at by the broker's clock, epoch milliseconds; set by the broker
 * @param action {@code cancel}, {@code replay}, {@code discard}, {@code pause}, …
 * @param queue null where it is about none
 * @param job null where it is about none
 * @param by who and why
 * @param detail in words; null where the action says it all
 */
public record AuditEntry(
        long at,
        String action,
        @Nullable String queue,
        @Nullable JobId job,
        By by,
        @Nullable String detail) {}
