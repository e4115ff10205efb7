/**
 * Small JDBC plumbing for Belay's SQL modules: statements from resource files, bound by name; transactions; versioned
 * migrations. It holds no SQL and knows no dialect.
 */
@org.jspecify.annotations.NullMarked
package dev.belay.jdbc;
