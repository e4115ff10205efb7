/** What users implement: handlers, interceptors, codecs; and what they are handed. */
@org.jspecify.annotations.NullMarked
package dev.belay.handler;
