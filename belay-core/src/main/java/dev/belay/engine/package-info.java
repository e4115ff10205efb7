/** The running parts of a worker. Nothing here is API. Start reading at {@link dev.belay.engine.Engine#start}. */
@org.jspecify.annotations.NullMarked
package dev.belay.engine;
