/**
 * The broker SPI: what a store must do to hold jobs and hand them out. Batches, numbers, tokens and sessions; no vendor
 * types. The contract is checked by the suites in {@code belay-tck}.
 *
 * <p>Time is the broker's: no call takes a worker's clock. What a call could not do for one item is a {@link
 * dev.belay.broker.Verdict} for that item; a {@link dev.belay.broker.BrokerException} means that the call itself failed,
 * and says what is known about it.
 */
@org.jspecify.annotations.NullMarked
package dev.belay.broker;
