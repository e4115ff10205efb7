package dev.belay.broker;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of the audit log.
 *
 * @param next what to ask the next page with; null where this is the last
 */
public record AuditPage(List<AuditEntry> entries, @Nullable String next) {}
