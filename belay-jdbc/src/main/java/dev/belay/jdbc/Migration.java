package dev.belay.jdbc;

/**
 * One step of a store's structure.
 *
 * @param version of the store after it, from 1, without gaps
 * @param oldestCompatible the oldest program that can work on a store of this version
 * @param file the resource with its statements, without {@code .sql}; each statement ends with a semicolon at the end of
 *     a line
 */
public record Migration(int version, int oldestCompatible, String file) {}
