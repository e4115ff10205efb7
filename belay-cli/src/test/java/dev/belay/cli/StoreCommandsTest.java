package dev.belay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.Belay;
import dev.belay.broker.Broker;
import dev.belay.broker.LeaseRequest;
import dev.belay.broker.SessionSpec;
import dev.belay.broker.Settlement;
import dev.belay.job.DeadReason;
import dev.belay.job.JobError;
import dev.belay.job.JobId;
import dev.belay.job.JobState;
import dev.belay.job.JobType;
import dev.belay.job.Outcome;
import dev.belay.job.SessionId;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

class StoreCommandsTest {

    private record Parcel(String to, BigInteger number, BigDecimal weight) {}

    private static final JobType<Parcel> SEND =
            JobType.define("send-parcel", Parcel.class).queue("post").build();
    private static final String HOSTILE = "\u001b[2J\u001b]0;owned\u0007 \r\u202Egnp.exe \u009b31m\u0000";

    private String address;
    private Broker broker;
    private Belay belay;
    private Cli cli;

    @BeforeEach
    void open(TestInfo test) {
        address = "memory:" + test.getTestMethod().orElseThrow().getName().toLowerCase(java.util.Locale.ROOT);
        broker = Broker.open(address);
        belay = Belay.on(broker);
        cli = Cli.on(address);
    }

    @AfterEach
    void close() {
        belay.close();
        broker.close();
    }

    @Test
    void aJobIsShownWithItsPayloadToTheLastDigit() {
        var number = new BigInteger("9".repeat(40));
        var id = belay.enqueue(SEND, new Parcel("Zoë 王秀英 محمد", number, new BigDecimal("1.2300")))
                .id();
        var json = cli.run("jobs", "show", id.toString(), "--json");
        assertThat(json.out()).contains("9".repeat(40), "1.2300", "Zoë 王秀英 محمد");
        assertThat(json.json().path("state").asString()).isEqualTo("READY");
        assertThat(json.json().path("payload").path("json").path("to").asString())
                .isEqualTo("Zoë 王秀英 محمد");
        assertThat(json.out().strip().lines()).hasSize(1);
        var text = cli.run("jobs", "show", id.toString());
        assertThat(text.out()).contains("send-parcel", "READY", "PHASE", "ready", "9".repeat(40));
    }

    @Test
    void case123_whatComesFromAStoreNeverActsOnTheTerminal() {
        var id = dead(new Parcel(HOSTILE, BigInteger.ONE, BigDecimal.ONE), HOSTILE)
                .get(0);
        for (var line : List.of(
                "jobs list",
                "jobs list --json",
                "jobs show " + id,
                "jobs show --json " + id,
                "dead list",
                "dead groups",
                "dead groups --json",
                "dead show --full " + id,
                "stats",
                "stats --json",
                "queues list")) {
            var said = cli.run(line.split(" "));
            assertThat(said.exit()).as(line + said.err()).isZero();
            assertThat(said.out() + said.err())
                    .as(line)
                    .doesNotContainPattern("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u202a-\\u202e\\u2066-\\u2069]");
        }
        assertThat(cli.run("jobs", "show", "--json", id.toString())
                        .json()
                        .path("payload")
                        .path("json")
                        .path("to")
                        .asString())
                .isEqualTo(HOSTILE);
    }

    @Test
    void aLongPayloadIsCutWithAHint() {
        var id = belay.enqueue(SEND, new Parcel("x".repeat(10_000), BigInteger.ONE, BigDecimal.ONE))
                .id();
        assertThat(cli.run("jobs", "show", id.toString()).out())
                .contains("--full")
                .hasSizeLessThan(6_000);
        assertThat(cli.run("jobs", "show", "--full", id.toString()).out()).contains("x".repeat(10_000));
    }

    @Test
    void jobsAreListedInPages() {
        for (var i = 0; i < 5; i++) {
            belay.enqueue(SEND, parcel());
        }
        var first = cli.run("jobs", "list", "--limit", "3", "--json").json();
        assertThat(first.path("jobs")).hasSize(3);
        var rest = cli.run(
                        "jobs",
                        "list",
                        "--limit",
                        "3",
                        "--json",
                        "--cursor",
                        first.path("next").asString())
                .json();
        assertThat(rest.path("jobs")).hasSize(2);
        assertThat(rest.path("next").isNull()).isTrue();
        assertThat(cli.run("jobs", "list", "--state", "dead,running", "--json")
                        .json()
                        .path("jobs"))
                .isEmpty();
        assertThat(cli.run("jobs", "list", "--queue", "post", "--state", "ready", "--json")
                        .json()
                        .path("jobs"))
                .hasSize(5);
    }

    @Test
    void aCancelIsDoneOnceAndSaysWho() {
        var id = belay.enqueue(SEND, parcel()).id();
        assertThat(cli.run("jobs", "cancel", id.toString(), "--by", "ann", "--why", "a mistake")
                        .exit())
                .isZero();
        var again = cli.run("jobs", "cancel", id.toString());
        assertThat(again.exit()).isEqualTo(1);
        assertThat(again.err()).contains("CANCELLED");
        assertThat(cli.run("jobs", "show", id.toString()).out()).contains("ann", "a mistake");
    }

    @Test
    void aPauseIsSeen() {
        belay.enqueue(SEND, parcel());
        assertThat(cli.run("queues", "pause", "post").exit()).isZero();
        assertThat(cli.run("queues", "list").out()).contains("paused");
        assertThat(cli.run("queues", "resume", "post", "--json")
                        .json()
                        .path("done")
                        .asString())
                .isEqualTo("resumed");
        assertThat(cli.run("queues", "list", "--json")
                        .json()
                        .path("queues")
                        .get(0)
                        .path("paused")
                        .asBoolean())
                .isFalse();
    }

    @Test
    void case48_deadLettersOfATypeThatNobodyKnowsAreReplayedAndDiscardedById() {
        var ids = dead(parcel(), "no such street", 2);
        var said = cli.run("dead", "replay", ids.get(0).toString(), "--by", "ann", "--why", "street found", "--json");
        assertThat(said.exit()).isZero();
        assertThat(state(ids.get(0))).isEqualTo(JobState.READY);
        assertThat(state(ids.get(1))).isEqualTo(JobState.DEAD);
        assertThat(cli.run("dead", "show", ids.get(0).toString()).exit()).isEqualTo(1);
        assertThat(cli.run("jobs", "show", ids.get(0).toString()).out()).contains("REPLAYED", "ann", "street found");
        var mixed = cli.run("dead", "discard", ids.get(0).toString(), ids.get(1).toString(), "--why", "enough");
        assertThat(mixed.exit()).isEqualTo(1);
        assertThat(mixed.err()).contains("READY");
        assertThat(broker.admin().find(null, ids.get(1))).isEmpty();
    }

    @Test
    void case64_manyAreReplayedAsAnOperationThatAsksFirst() {
        dead(parcel(), "no such street", 7);
        var unasked = cli.run("dead", "replay", "--all", "--why", "found");
        assertThat(unasked.exit()).isEqualTo(2);
        assertThat(unasked.err()).contains("replay 7 dead letters", "--yes");
        var refused = Cli.on(address).typing("n\n").run("dead", "replay", "--all", "--why", "found");
        assertThat(refused.exit()).isEqualTo(1);
        assertThat(refused.err()).contains("replay 7 dead letters? [y/N]", "nothing was done");
        var done = cli.run("dead", "replay", "--all", "--type", "send-parcel", "--why", "found", "--yes", "--json");
        assertThat(done.exit()).as(done.err()).isZero();
        assertThat(done.json().path("done").asInt()).isEqualTo(7);
        assertThat(done.json().path("state").asString()).isEqualTo("DONE");
        var operations = cli.run("dead", "operations", "--json").json().path("operations");
        assertThat(operations).hasSize(1);
        assertThat(operations.get(0).path("operation").asString())
                .isEqualTo(done.json().path("operation").asString());
        assertThat(cli.run("dead", "list", "--json").json().path("jobs")).isEmpty();
        assertThat(cli.run("dead", "replay", "--all", "--why", "again").out()).contains("no dead letters match");
    }

    @Test
    void anOperationCanBeLeftToOthersAndStopped() {
        dead(parcel(), "no such street", 3);
        var started = cli.run("dead", "discard", "--all", "--why", "x", "--yes", "--detach", "--rate", "1", "--json");
        var id = started.json().path("operation").asString();
        assertThat(cli.run("dead", "stop", id, "--json").json().path("state").asString())
                .isEqualTo("STOPPED");
        assertThat(cli.run("dead", "stop", "0198c2f0-5b7e-7c3a-9d1e-2f4a6b8c0d1e")
                        .exit())
                .isEqualTo(1);
        assertThat(cli.run("dead", "list", "--json").json().path("jobs")).hasSize(3);
    }

    @Test
    void idsAndFiltersDontMix() {
        var id = dead(parcel(), "x").get(0).toString();
        assertThat(cli.run("dead", "replay", id, "--all", "--why", "x").exit()).isEqualTo(2);
        assertThat(cli.run("dead", "replay", id, "--type", "send-parcel", "--why", "x")
                        .exit())
                .isEqualTo(2);
        assertThat(cli.run("dead", "replay", id).err()).contains("--why");
    }

    @Test
    void case139_aQueueThatNobodyServesIsSeen() {
        belay.enqueue(SEND, parcel());
        var said = cli.run("doctor", "--json");
        assertThat(said.exit()).isZero();
        assertThat(said.json().path("checks").valueStream())
                .anyMatch(check -> check.path("name").asString().equals("workers")
                        && check.path("result").asString().equals("WARNING")
                        && check.path("detail").asString().contains("post"));
        assertThat(cli.run("doctor").out()).contains("WARNING", "no worker serves post");
        assertThat(cli.run("queues", "list").out()).contains("no worker serves it");
    }

    @Test
    void statisticsAreExact() {
        dead(parcel(), "x", 3);
        var json = cli.run("stats", "--json").json();
        assertThat(json.path("queues").get(0).path("dead").asLong()).isEqualTo(3);
        assertThat(json.path("events").valueStream())
                .anyMatch(event -> event.path("event").asString().equals("DEAD")
                        && event.path("count").asLong() == 3);
        assertThat(cli.run("stats", "--queue", "other", "--json").json().path("queues"))
                .isEmpty();
    }

    private JobState state(JobId id) {
        return broker.admin().find(null, id).orElseThrow().job().state();
    }

    private static Parcel parcel() {
        return new Parcel("Ann", BigInteger.TEN, BigDecimal.ONE);
    }

    private List<JobId> dead(Parcel parcel, String message) {
        return dead(parcel, message, 1);
    }

    private List<JobId> dead(Parcel parcel, String message, int count) {
        var ids = new ArrayList<JobId>();
        for (var i = 0; i < count; i++) {
            ids.add(belay.enqueue(SEND.with(parcel)
                            .header("trace", message.replace("\u0000", ""))
                            .tag("t" + i))
                    .id());
        }
        var session = SessionId.next();
        broker.register(
                new SessionSpec(session, "post", "worker", "1", 10, Duration.ofSeconds(30), Map.of("send-parcel", 1)));
        var clean = message.replace('\u0000', '\uFFFD');
        var error = new JobError("com.example.NoStreet", clean, "com.example.NoStreet: " + clean + "\n\tat x", "f00d");
        for (var lease : broker.lease(LeaseRequest.of(session, 1, count)).leases()) {
            broker.settle(
                    "post",
                    List.of(new Settlement(lease.id(), new Outcome.Bury(DeadReason.NOT_RETRYABLE, error), clean)));
        }
        broker.endSessions(List.of(session));
        return ids;
    }
}
