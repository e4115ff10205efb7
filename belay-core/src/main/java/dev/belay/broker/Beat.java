package dev.belay.broker;

import dev.belay.job.LeaseId;
import dev.belay.job.SessionId;
import java.util.Map;

/**
 * One session's part of a heartbeat.
 *
 * @param session to be extended
 * @param lastCommand the number of the last command seen; 0 for none
 * @param progress of leases whose progress changed since the last answered heartbeat
 */
public record Beat(SessionId session, long lastCommand, Map<LeaseId, String> progress) {}
