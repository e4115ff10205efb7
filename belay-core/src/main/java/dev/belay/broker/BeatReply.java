package dev.belay.broker;

import java.util.List;

/**
 * One session's part of the answer to a heartbeat.
 *
 * @param ended whether the session has ended: register anew, under a new id
 * @param commands not yet seen, in order of their numbers
 * @param paused whether the queue is paused: prefetched jobs go back
 * @param quiet whether this program has become older than the store's oldest compatible version: lease no more
 * @param liveSessions of the queue
 */
public record BeatReply(boolean ended, List<Command> commands, boolean paused, boolean quiet, int liveSessions) {

    /** Of a session that is not registered (any more). */
    public static final BeatReply ENDED = new BeatReply(true, List.of(), false, false, 0);
}
