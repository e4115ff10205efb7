/**
 * Suites that run the client and real workers on a broker. A broker module takes part by a class that selects this package,
 * as for the contract suites.
 *
 * <p>What happened is counted outside of the product, by {@link dev.belay.tck.engine.Effects}. Suites never sleep: they
 * wait for conditions, and hold handlers and calls where they need a certain order. How long a test waits at most is only
 * a way to fail.
 */
@org.jspecify.annotations.NullMarked
package dev.belay.tck.engine;
