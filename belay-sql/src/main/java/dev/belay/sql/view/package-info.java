/** What is read from the store for people and tools, over the read connections. */
@org.jspecify.annotations.NullMarked
package dev.belay.sql.view;
