/** Faults between a broker and its server, for the tests of brokers that have one. */
@org.jspecify.annotations.NullMarked
package dev.belay.tck.fault;
