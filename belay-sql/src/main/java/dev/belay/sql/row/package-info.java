/** The stored record of a job: how its row is read and written, and what it says. */
@org.jspecify.annotations.NullMarked
package dev.belay.sql.row;
