/** The idempotency ledger on plain JDBC: for PostgreSQL and SQLite. */
@NullMarked
package dev.belay.ledger;

import org.jspecify.annotations.NullMarked;
