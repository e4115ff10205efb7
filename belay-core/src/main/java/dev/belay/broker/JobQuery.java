package dev.belay.broker;

import dev.belay.job.JobState;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs to list: all conditions must hold; null (or an empty set) means any.
 *
 * @param errorClass of the last failure
 * @param errorFingerprint of the last failure
 * @param reason of DEAD or CANCELLED
 * @param key the idempotency key
 * @param finishedFrom epoch milliseconds, included
 * @param finishedTo epoch milliseconds, included
 */
public record JobQuery(
        @Nullable String queue,
        @Nullable String type,
        Set<JobState> states,
        @Nullable String errorClass,
        @Nullable String errorFingerprint,
        @Nullable String reason,
        @Nullable String key,
        @Nullable String tag,
        @Nullable Long finishedFrom,
        @Nullable Long finishedTo) {

    /** All jobs. */
    public static final JobQuery ALL = new JobQuery(null, null, Set.of(), null, null, null, null, null, null, null);

    /** All dead letters. */
    public static final JobQuery DEAD = ALL.inState(JobState.DEAD);

    public JobQuery {
        states = states.isEmpty() ? Set.of() : Set.copyOf(EnumSet.copyOf(states));
    }

    public JobQuery inState(JobState... state) {
        return new JobQuery(
                queue, type, Set.of(state), errorClass, errorFingerprint, reason, key, tag, finishedFrom, finishedTo);
    }

    public JobQuery inQueue(@Nullable String value) {
        return new JobQuery(
                value, type, states, errorClass, errorFingerprint, reason, key, tag, finishedFrom, finishedTo);
    }

    public JobQuery ofType(@Nullable String value) {
        return new JobQuery(
                queue, value, states, errorClass, errorFingerprint, reason, key, tag, finishedFrom, finishedTo);
    }

    public JobQuery withErrorClass(@Nullable String value) {
        return new JobQuery(queue, type, states, value, errorFingerprint, reason, key, tag, finishedFrom, finishedTo);
    }

    public JobQuery withFingerprint(@Nullable String value) {
        return new JobQuery(queue, type, states, errorClass, value, reason, key, tag, finishedFrom, finishedTo);
    }

    public JobQuery withReason(@Nullable String value) {
        return new JobQuery(
                queue, type, states, errorClass, errorFingerprint, value, key, tag, finishedFrom, finishedTo);
    }

    public JobQuery withKey(@Nullable String value) {
        return new JobQuery(
                queue, type, states, errorClass, errorFingerprint, reason, value, tag, finishedFrom, finishedTo);
    }

    public JobQuery withTag(@Nullable String value) {
        return new JobQuery(
                queue, type, states, errorClass, errorFingerprint, reason, key, value, finishedFrom, finishedTo);
    }

    /** Became final in this span, both ends included; null for open ends. */
    public JobQuery finished(@Nullable Long from, @Nullable Long to) {
        return new JobQuery(queue, type, states, errorClass, errorFingerprint, reason, key, tag, from, to);
    }
}
