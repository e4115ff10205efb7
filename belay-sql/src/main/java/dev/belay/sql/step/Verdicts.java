package dev.belay.sql.step;

import dev.belay.broker.Verdict;
import dev.belay.jdbc.Rows;
import dev.belay.job.DeadReason;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.sql.row.JobRow;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Verdicts, and the stored form of the answers to a numbered enqueue: runs of accepted jobs, and what lies between. */
final class Verdicts {

    static final Verdict ACCEPTED_READY = new Verdict.Applied(JobState.READY, null);
    static final Verdict ACCEPTED_SCHEDULED = new Verdict.Applied(JobState.SCHEDULED, null);

    private static final int READY = 'r';
    private static final int SCHEDULED = 's';
    private static final int DUPLICATE = 'd';
    private static final int CONFLICT = 'c';
    private static final int REPLACED = 'p';
    private static final int NO_STATE = -1;

    private Verdicts() {}

    /** Applied, with the job as it stands. */
    static Verdict applied(JobRow job) {
        return new Verdict.Applied(Moves.state(job), deadReason(job));
    }

    static Verdict wrongState(JobRow job) {
        return new Verdict.WrongState(Moves.state(job));
    }

    /** Why a job is dead; null where it is not. */
    static @Nullable DeadReason deadReason(JobRow job) {
        if (!job.isDead()) {
            return null;
        }
        for (var reason : DeadReason.values()) {
            if (reason.name().equals(job.reason)) {
                return reason;
            }
        }
        return DeadReason.CORRUPT;
    }

    static byte[] write(List<Verdict> verdicts) {
        var bytes = new ByteArrayOutputStream();
        try (var out = new DataOutputStream(bytes)) {
            for (var i = 0; i < verdicts.size(); ) {
                i = writeFrom(out, verdicts, i);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static int writeFrom(DataOutputStream out, List<Verdict> verdicts, int from) throws IOException {
        var verdict = verdicts.get(from);
        if (verdict instanceof Verdict.Applied applied) {
            var end = from;
            while (end < verdicts.size() && verdicts.get(end).equals(verdict)) {
                end++;
            }
            out.writeByte(applied.state() == JobState.READY ? READY : SCHEDULED);
            out.writeInt(end - from);
            return end;
        }
        if (verdict instanceof Verdict.Duplicate duplicate) {
            out.writeByte(DUPLICATE);
            write(out, duplicate.holder(), duplicate.state());
        } else if (verdict instanceof Verdict.Replaced replaced) {
            out.writeByte(REPLACED);
            write(out, replaced.by(), replaced.state());
        } else if (verdict instanceof Verdict.Conflict conflict) {
            out.writeByte(CONFLICT);
            write(out, conflict.holder(), conflict.state());
            var detail = conflict.detail().getBytes(StandardCharsets.UTF_8);
            out.writeInt(detail.length);
            out.write(detail);
        } else {
            throw new IllegalStateException("no answer to an enqueue: " + verdict);
        }
        return from + 1;
    }

    private static void write(DataOutputStream out, JobId holder, @Nullable JobState state) throws IOException {
        out.write(Rows.bytes(holder.value()));
        out.writeByte(state == null ? NO_STATE : state.ordinal());
    }

    static List<Verdict> read(byte[] bytes) {
        var verdicts = new ArrayList<Verdict>();
        try (var in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            while (in.available() > 0) {
                readNext(in, verdicts);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the stored answers to an enqueue can't be read", e);
        }
        return List.copyOf(verdicts);
    }

    private static void readNext(DataInputStream in, List<Verdict> verdicts) throws IOException {
        var kind = in.readByte();
        switch (kind) {
            case READY -> addRun(verdicts, ACCEPTED_READY, in.readInt());
            case SCHEDULED -> addRun(verdicts, ACCEPTED_SCHEDULED, in.readInt());
            case DUPLICATE -> verdicts.add(new Verdict.Duplicate(readId(in), readState(in)));
            case REPLACED -> verdicts.add(new Verdict.Replaced(readId(in), readState(in)));
            case CONFLICT -> {
                var holder = readId(in);
                var state = readState(in);
                verdicts.add(new Verdict.Conflict(
                        holder, state, new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8)));
            }
            default -> throw new IOException("no answer has the kind " + kind);
        }
    }

    private static void addRun(List<Verdict> verdicts, Verdict verdict, int times) {
        for (var i = 0; i < times; i++) {
            verdicts.add(verdict);
        }
    }

    private static JobId readId(DataInputStream in) throws IOException {
        return new JobId(Rows.uuid(in.readNBytes(16)));
    }

    private static @Nullable JobState readState(DataInputStream in) throws IOException {
        var ordinal = in.readByte();
        return ordinal == NO_STATE ? null : JobState.values()[ordinal];
    }
}
