package dev.belay.broker;

/**
 * The answer to a registration.
 *
 * @param namespace settings that the worker obeys
 * @param queue settings of the queue
 * @param paused whether the queue is paused
 * @param brokerTime the broker's clock, epoch milliseconds: for the warning about skew
 */
public record Registration(NamespaceSettings namespace, QueueSettings queue, boolean paused, long brokerTime) {}
