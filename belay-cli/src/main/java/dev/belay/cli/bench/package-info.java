/**
 * How fast a store is through Belay, and beside it, in the same run, how fast the same store is when it is driven as hard as
 * it can be by plain JDBC.
 */
@org.jspecify.annotations.NullMarked
package dev.belay.cli.bench;
