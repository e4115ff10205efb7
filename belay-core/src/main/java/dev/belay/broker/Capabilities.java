package dev.belay.broker;

/**
 * What a broker can and can't do.
 *
 * @param name for people: {@code memory}, {@code sqlite}, …
 * @param durable whether accepted jobs survive the end of the process
 * @param shared whether several processes can work on one store
 * @param callsUnderWay how many enqueue calls of one client are worth having under way at a time: one where the store works
 *     on one after the other without a pause, more where it would wait for the client in between
 * @param callSize how many jobs one enqueue call should hold at most: more would keep others waiting for too long
 */
public record Capabilities(String name, boolean durable, boolean shared, int callsUnderWay, int callSize) {}
