package dev.belay.broker;

/**
 * What a broker can and can't do.
 *
 * @param name for people: {@code memory}, {@code sqlite}, …
 * @param durable whether accepted jobs survive the end of the process
 * @param shared whether several processes can work on one store
 */
public record Capabilities(String name, boolean durable, boolean shared) {}
