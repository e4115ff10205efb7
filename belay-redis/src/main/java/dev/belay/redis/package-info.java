/** The broker on Redis and Valkey. */
@org.jspecify.annotations.NullMarked
package dev.belay.redis;
