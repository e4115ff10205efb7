/** The way to the server: connection, scripts, errors. */
@org.jspecify.annotations.NullMarked
package dev.belay.redis.link;
