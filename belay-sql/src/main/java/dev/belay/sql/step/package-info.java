/** The steps of the broker: each changes the store within the writer's transaction. */
@org.jspecify.annotations.NullMarked
package dev.belay.sql.step;
