package dev.belay.redis;

import static dev.belay.redis.RedisStore.ascii;
import static dev.belay.redis.Replies.list;
import static dev.belay.redis.Replies.number;
import static dev.belay.redis.Replies.text;

import dev.belay.broker.EnqueueCall;
import dev.belay.broker.Verdict;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.job.NewJob;
import dev.belay.redis.link.Script;
import dev.belay.redis.record.Ids;
import dev.belay.redis.record.NewRecords;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;

/** Accepts jobs: by a short script where all are as usual, else by one that knows every case. */
final class Enqueuing {

    private final RedisStore store;
    private final Jobs jobs;

    Enqueuing(RedisStore store, Jobs jobs) {
        this.store = store;
        this.jobs = jobs;
    }

    List<Verdict> enqueue(EnqueueCall call) {
        call.jobs().forEach(jobs::checkPayload);
        store.register(call.queue());
        var answer = arePlain(call.jobs()) ? plain(call) : any(call);
        return verdicts(call, text(answer.get(0)).equals("other") ? any(call) : answer);
    }

    private static boolean arePlain(List<NewJob> jobs) {
        var ids = new HashSet<JobId>(2 * jobs.size());
        var priority = jobs.isEmpty() ? 0 : jobs.get(0).options().priority();
        for (var job : jobs) {
            if (!NewRecords.isPlain(job) || job.options().priority() != priority || !ids.add(job.id())) {
                return false;
            }
        }
        return !jobs.isEmpty();
    }

    private List<Object> plain(EnqueueCall call) {
        var jobs = call.jobs();
        var runs = new ArrayList<byte[]>();
        for (var from = 0; from < jobs.size(); ) {
            var to = from + 1;
            while (to < jobs.size() && NewRecords.isSameKind(jobs.get(from), jobs.get(to))) {
                to++;
            }
            var first = jobs.get(from);
            runs.add(ascii(first.type()));
            runs.add(ascii(first.payload().schemaVersion()));
            runs.add(NewRecords.plainTail(first));
            runs.add(ascii(to - from));
            from = to;
        }
        var arguments = new ArrayList<byte[]>(5 + runs.size() + 3 * jobs.size());
        arguments.add(Ids.bytes(call.client()));
        arguments.add(ascii(call.number()));
        arguments.add(ascii(jobs.size()));
        arguments.add(NewRecords.plainStart(jobs.get(0)));
        arguments.add(ascii(runs.size() / 4));
        arguments.addAll(runs);
        for (var job : call.jobs()) {
            arguments.add(Ids.bytes(job.id()));
            arguments.add(NewRecords.plainRest(job));
            arguments.add(job.payload().bytes());
        }
        return store.run(Script.ENQUEUE_PLAIN, call.queue(), List.of(), arguments);
    }

    private List<Object> any(EnqueueCall call) {
        var answer = store.run(Script.ENQUEUE, call.queue(), List.of(), arguments(call, false));
        // Whether a holder runs is of interest only for what may be replaced, or counts only while it waits.
        return text(answer.get(0)).equals("sessions")
                ? store.runWithSessions(Script.ENQUEUE, call.queue(), arguments(call, true))
                : answer;
    }

    private List<byte[]> arguments(EnqueueCall call, boolean named) {
        var arguments = new ArrayList<byte[]>(5 + 7 * call.jobs().size());
        arguments.add(Ids.bytes(call.client()));
        arguments.add(ascii(call.number()));
        arguments.add(ascii(store.settings().dedupWindow().toMillis()));
        arguments.add(ascii(call.jobs().size()));
        arguments.add(ascii(named ? 1 : 0));
        call.jobs().forEach(job -> arguments.addAll(NewRecords.arguments(job)));
        return arguments;
    }

    private List<Verdict> verdicts(EnqueueCall call, List<Object> answer) {
        if (text(answer.get(0)).equals("number")) {
            throw RedisBroker.rejected(
                    "number",
                    "must be above " + text(answer.get(1)) + ", the newest of client " + call.client() + " in queue '"
                            + call.queue() + "', but is " + call.number());
        }
        if (answer.get(1) instanceof byte[] state) {
            return Collections.nCopies(call.jobs().size(), new Verdict.Applied(JobState.valueOf(text(state)), null));
        }
        var given = list(answer.get(1));
        if (number(answer.get(2)) == 0) {
            setRight(call, given);
        }
        var verdicts = new ArrayList<Verdict>(given.size());
        for (var i = 0; i < given.size(); i++) {
            verdicts.add(jobs.accepted(call.jobs().get(i), list(given.get(i))));
        }
        return List.copyOf(verdicts);
    }

    /** A head does not say that its job is running: what the script answered of others' jobs is completed. */
    private void setRight(EnqueueCall call, List<Object> given) {
        var running = new ArrayList<byte[]>();
        for (var i = 0; i < given.size(); i++) {
            if (jobs.complete(call.queue(), list(given.get(i)))) {
                running.add(ascii(i + 1));
                running.add(ascii(JobState.RUNNING.name()));
            }
        }
        if (!running.isEmpty()) {
            running.addAll(0, List.of(Ids.bytes(call.client()), ascii(call.number())));
            store.run(Script.ANSWERS, call.queue(), List.of(), running);
        }
    }
}
