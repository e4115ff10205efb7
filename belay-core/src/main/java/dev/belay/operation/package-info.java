/** Mass operations: durable, shared by all programs on a store, each job once. */
@org.jspecify.annotations.NullMarked
package dev.belay.operation;
