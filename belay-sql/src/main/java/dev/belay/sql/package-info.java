/** What the brokers in SQL databases share, on top of their rows and steps: how people see and change what is stored. */
@org.jspecify.annotations.NullMarked
package dev.belay.sql;
