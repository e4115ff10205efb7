package dev.belay.job;

/**
 * An error, bounded and clean: fit to be stored anywhere and shown anywhere.
 *
 * @param errorClass the class's name, or a name of Belay's own such as {@code TIMEOUT}
 * @param message at most 4 KiB, possibly empty
 * @param stack at most 16 KiB, possibly empty
 * @param fingerprint the same for errors of one kind: type, class, normalised message, top frames
 */
public record JobError(String errorClass, String message, String stack, String fingerprint) {}
