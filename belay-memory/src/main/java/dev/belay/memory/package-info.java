/**
 * The reference broker: an executable specification of the broker SPI, in memory. Plain, never clever: one lock around
 * one state, and one method for each rule. Other brokers are compared with it. Nothing survives the end of the process.
 */
@org.jspecify.annotations.NullMarked
package dev.belay.memory;
