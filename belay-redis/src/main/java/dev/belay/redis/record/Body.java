package dev.belay.redis.record;

/** Where the elements of a head's body are: one less than in the scripts, which count from one. */
final class Body {

    static final int ENCODING = 0;
    static final int FINGERPRINT = 1;
    static final int MAX_ATTEMPTS = 2;
    static final int MAX_CRASHES = 3;
    static final int FAILURES = 4;
    static final int CRASHES = 5;
    static final int STEPS = 6;
    static final int DELIVERIES = 7;
    static final int SNOOZES = 8;
    static final int RELEASES = 9;
    static final int REPLAYS = 10;
    static final int TOKEN = 11;
    static final int LIFETIME = 12;
    static final int KEY = 13;
    static final int BACKOFF = 14;
    static final int RETENTION = 15;
    static final int TIMEOUT = 16;
    static final int TAGS = 17;
    static final int EXTRAS = 18;
    static final int REASON = 19;
    static final int FINISHED = 20;
    static final int UNKNOWN = 21;
    static final int LAST_TOKEN = 22;
    static final int LAST_SESSION = 23;
    static final int LAST_OUTCOME = 24;
    static final int ERROR_CLASS = 25;
    static final int ERROR_MESSAGE = 26;
    static final int ERROR_STACK = 27;
    static final int ERROR_FINGERPRINT = 28;
    static final int PROGRESS = 29;
    static final int HISTORY = 30;
    static final int PRIORITY = 31;

    /** As many elements has every body. */
    static final int SIZE = 32;

    /** Only where they are not the default: its own dedup window, and what else its key means. */
    static final int WINDOW = 32;

    static final int DEDUP = 33;
    static final int REPLACES_WAITING = 1;
    static final int ONLY_WAITING = 2;

    private Body() {}
}
