package dev.belay.broker;

import dev.belay.job.LeaseId;
import java.util.List;

/**
 * What a session holds.
 *
 * @param number the one that was asked with: an answer to another call is not taken for this one's
 * @param ended whether the session has ended (then it holds nothing)
 * @param held its in-flight set
 */
public record ReconcileReply(long number, boolean ended, List<LeaseId> held) {}
