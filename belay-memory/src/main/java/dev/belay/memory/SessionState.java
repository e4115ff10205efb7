package dev.belay.memory;

import dev.belay.broker.BrokerAdmin;
import dev.belay.broker.Command;
import dev.belay.broker.SessionSpec;
import dev.belay.job.JobId;
import dev.belay.job.LeaseId;
import dev.belay.job.SessionId;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** A registered session, with what it holds. */
final class SessionState {

    final SessionSpec spec;
    final long registeredAt;

    /** What it holds, in order of leasing. A session serves one queue, so an id says enough. */
    final Map<JobId, StoredJob> inFlight = new LinkedHashMap<>();

    long deadline;

    @Nullable
    Long markedAt;

    boolean ended;

    private long fence;
    private long newestCall;
    private long newestCommand;
    private final ArrayDeque<Command> commands = new ArrayDeque<>();

    SessionState(SessionSpec spec, long now) {
        this.spec = spec;
        this.registeredAt = now;
        this.deadline = now + spec.leaseDuration().toMillis();
    }

    SessionId id() {
        return spec.id();
    }

    boolean knows(TypeVersion kind) {
        return spec.types().getOrDefault(kind.type(), 0) >= kind.schemaVersion();
    }

    boolean isPastDeadline(long now) {
        return deadline <= now;
    }

    void extend(long now) {
        deadline = now + spec.leaseDuration().toMillis();
        markedAt = null;
    }

    /** Whether a lease call with this number may go on; if so, no call up to it may any more. */
    boolean enter(long number) {
        if (number <= fence || number <= newestCall) {
            return false;
        }
        newestCall = number;
        return true;
    }

    void fenceUpTo(long number) {
        fence = Math.max(fence, number);
    }

    /** The job, if this very lease is held. */
    @Nullable
    StoredJob holds(LeaseId lease) {
        var job = inFlight.get(lease.job());
        return job != null && job.token == lease.token() && job.queue().equals(lease.queue()) ? job : null;
    }

    List<LeaseId> held() {
        return inFlight.values().stream()
                .map(job -> new LeaseId(job.queue(), job.id(), job.token, id()))
                .toList();
    }

    void tell(LongFunction<Command> command) {
        commands.add(command.apply(++newestCommand));
    }

    void dropCommands(long seen) {
        commands.removeIf(command -> command.number() <= seen);
    }

    List<Command> commands() {
        return List.copyOf(commands);
    }

    BrokerAdmin.SessionView view() {
        return new BrokerAdmin.SessionView(spec, registeredAt, deadline, markedAt, ended, inFlight.size());
    }
}
