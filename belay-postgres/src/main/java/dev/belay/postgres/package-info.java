/** The transactional broker: jobs in a PostgreSQL database, beside the data that they are about. */
@org.jspecify.annotations.NullMarked
package dev.belay.postgres;
