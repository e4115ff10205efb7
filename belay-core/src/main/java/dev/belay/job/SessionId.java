package dev.belay.job;

import java.util.UUID;

/** The id of a session: a worker's registration with one queue. Every try to register uses a new one. */
public record SessionId(UUID value) {

    /** A fresh random id. */
    public static SessionId next() {
        return new SessionId(UUID.randomUUID());
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
