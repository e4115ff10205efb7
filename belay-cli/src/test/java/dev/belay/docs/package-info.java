/** The code that the documentation shows, compiled and run; and the check that it shows that code. */
@org.jspecify.annotations.NullMarked
package dev.belay.docs;
