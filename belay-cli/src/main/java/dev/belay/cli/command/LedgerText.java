package dev.belay.cli.command;

import dev.belay.cli.shell.Console;
import dev.belay.cli.shell.Json;
import dev.belay.cli.shell.Style;
import dev.belay.cli.shell.Table;
import dev.belay.handler.Codecs;
import dev.belay.job.Payload;
import dev.belay.ledger.LedgerAdmin;
import dev.belay.ledger.LedgerEntry;
import dev.belay.once.Owner;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Effects as tables and as JSON: the names are stable. */
final class LedgerText {

    private LedgerText() {}

    /** Where it stands, in one word. */
    private static String state(LedgerEntry entry) {
        return entry.isUnknown() ? "UNKNOWN" : entry.state().name();
    }

    private static Console.Piece styledState(LedgerEntry entry) {
        var style = entry.isUnknown()
                ? Style.BAD
                : switch (entry.state()) {
                    case COMPLETED -> Style.GOOD;
                    case FAILED_FINAL -> Style.BAD;
                    case PENDING -> Style.PLAIN;
                };
        return Console.styled(style, state(entry));
    }

    private static String owner(@Nullable Owner owner) {
        if (owner == null) {
            return "-";
        }
        return owner instanceof Owner.Delivery delivery
                ? "job " + delivery.lease().job()
                : "caller of session " + owner.session();
    }

    static Table table(List<LedgerEntry> entries) {
        var table = new Table()
                .column("STATE")
                .column("SCOPE")
                .column("KEY")
                .column("SINCE")
                .column("OWNER")
                .column("NOTE");
        for (var entry : entries) {
            table.row(
                    styledState(entry),
                    entry.scope(),
                    entry.key(),
                    entry.createdAt(),
                    owner(entry.owner()),
                    entry.error() == null ? "" : entry.error());
        }
        return table;
    }

    static Table auditTable(List<LedgerAdmin.AuditEntry> entries) {
        var table = new Table()
                .column("AT")
                .column("WHO")
                .column("DID")
                .column("SCOPE")
                .column("KEY")
                .column("WHY");
        entries.forEach(entry ->
                table.row(entry.at(), entry.actor(), entry.action(), entry.scope(), entry.key(), entry.reason()));
        return table;
    }

    static void print(Console console, LedgerEntry entry) {
        console.line(Console.styled(Style.BOLD, entry.key()), " in scope " + entry.scope() + ": ", styledState(entry));
        field(console, "first seen", entry.createdAt());
        field(console, "last changed", entry.updatedAt());
        field(console, "in doubt since", entry.unknownAt());
        field(console, "kept until", entry.expiresAt());
        field(console, "owner", entry.owner() == null ? null : owner(entry.owner()));
        field(console, "fingerprint", entry.fingerprint());
        field(console, "at most once", entry.atMostOnce() ? "yes" : "no");
        field(console, "error", entry.error());
        field(console, "result", result(entry));
    }

    private static void field(Console console, String name, @Nullable Object value) {
        if (value != null) {
            console.line(Console.styled(Style.DIM, String.format("%-15s", name)), value);
        }
    }

    private static @Nullable String result(LedgerEntry entry) {
        return entry.result() == null
                ? null
                : Codecs.found().show(new Payload(entry.result(), String.valueOf(entry.encoding()), 1));
    }

    static ObjectNode json(LedgerEntry entry) {
        var json = Json.object();
        json.put("scope", entry.scope());
        json.put("key", entry.key());
        json.put("state", state(entry));
        json.put(
                "fingerprint",
                entry.fingerprint() == null ? null : entry.fingerprint().toString());
        json.put("atMostOnce", entry.atMostOnce());
        json.put(
                "job",
                entry.owner() instanceof Owner.Delivery delivery
                        ? delivery.lease().job().toString()
                        : (String) null);
        json.put(
                "session",
                entry.owner() == null ? null : entry.owner().session().toString());
        json.put("token", entry.owner() == null ? null : (Long) entry.owner().token());
        json.put("createdAt", entry.createdAt().toEpochMilli());
        json.put("updatedAt", entry.updatedAt().toEpochMilli());
        json.put(
                "unknownAt",
                entry.unknownAt() == null ? null : (Long) entry.unknownAt().toEpochMilli());
        json.put(
                "expiresAt",
                entry.expiresAt() == null ? null : (Long) entry.expiresAt().toEpochMilli());
        json.put("error", entry.error());
        var result = result(entry);
        var raw = result == null ? null : Json.raw(result);
        if (raw == null) {
            json.put("result", (String) result);
        } else {
            json.putRawValue("result", raw);
        }
        return json;
    }

    static ObjectNode json(List<LedgerAdmin.AuditEntry> entries) {
        var json = Json.object();
        var array = json.putArray("audit");
        for (var entry : entries) {
            array.addObject()
                    .put("at", entry.at().toEpochMilli())
                    .put("who", entry.actor())
                    .put("did", entry.action())
                    .put("scope", entry.scope())
                    .put("key", entry.key())
                    .put("why", entry.reason());
        }
        return json;
    }
}
