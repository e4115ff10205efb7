/**
 * Suites for brokers that can work within a transaction of their caller: what a {@link dev.belay.broker.TransactionalBroker}
 * must keep, and what the client and the engine make of it.
 */
@org.jspecify.annotations.NullMarked
package dev.belay.tck.transaction;
