package dev.belay.broker;

import java.util.List;

/**
 * What one batch of pruning did.
 *
 * @param removed final jobs removed, dead letters not included
 * @param deadDropped dead letters dropped by a limit that somebody set
 * @param expired jobs that had expired, and are DEAD now
 * @param more whether there is more to do
 */
public record PruneReply(int removed, int deadDropped, List<Broker.Death> expired, boolean more) {}
