/** The default payload codec: JSON by Jackson 3. */
@org.jspecify.annotations.NullMarked
package dev.belay.jackson;
