/**
 * The embedded broker: one SQLite file, no server. Several processes of one host may work on it. Open one with {@link
 * dev.belay.sqlite.SqliteBroker#open} or by the address {@code sqlite:path}.
 */
@org.jspecify.annotations.NullMarked
package dev.belay.sqlite;
