package dev.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.Belay;
import dev.belay.broker.Beat;
import dev.belay.broker.Broker;
import dev.belay.broker.BrokerException;
import dev.belay.broker.JobQuery;
import dev.belay.broker.SessionSpec;
import dev.belay.broker.StoreCheck;
import dev.belay.handler.Codecs;
import dev.belay.job.InvalidInputException;
import dev.belay.job.JobType;
import dev.belay.job.SessionId;
import dev.belay.tck.engine.TextCodec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a server is named, and who may use it. */
class ConnectionTest {

    private static final JobType<String> WORK =
            JobType.define("work", String.class).queue("mail").build();

    private static void enqueue(Broker broker) {
        try (var belay =
                Belay.builder(broker).codecs(Codecs.of(new TextCodec())).build()) {
            belay.enqueue(WORK.with("x"));
        }
    }

    private static long stored(Broker broker) {
        return broker.admin().count(JobQuery.ALL, Long.MAX_VALUE);
    }

    @Test
    void aDatabaseIsAWorldOfItsOwn() {
        try (var server = RedisServer.start("--save", "");
                var seven = Broker.open(server.address(7));
                var eight = Broker.open(server.address(8))) {
            enqueue(seven);
            assertThat(stored(seven)).isEqualTo(1);
            assertThat(stored(eight)).isZero();
        }
    }

    @Test
    void aNamespaceIsAPrefixOfKeys() {
        try (var server = RedisServer.start("--save", "");
                var shop =
                        RedisBroker.builder(server.address(0)).namespace("shop").open()) {
            enqueue(shop);
            List<String> keys = server.ask(commands -> commands.keys("*"));
            assertThat(keys)
                    .isNotEmpty()
                    .allMatch(key -> key.startsWith("{shop/mail/0}:") || key.startsWith("{shop}:"));
        }
    }

    @Test
    void theLeastAclThatIsDocumentedIsEnoughAndKeepsOthersKeysApart() {
        try (var server = RedisServer.start("--save", "")) {
            server.allow("belay", LeastAcl.rules(""));
            try (var broker = Broker.open("redis://belay:secret@127.0.0.1:" + server.port() + "/0")) {
                enqueue(broker);
                assertThat(stored(broker)).isEqualTo(1);
                assertThat(broker.admin().check())
                        .filteredOn(check -> check.result() == StoreCheck.Result.SKIPPED)
                        .isEmpty();
            }
            assertThatThrownBy(() -> RedisBroker.builder("redis://belay:secret@127.0.0.1:" + server.port() + "/0")
                            .namespace("other")
                            .open()
                            .settings())
                    .isInstanceOf(BrokerException.class)
                    .hasMessageContaining("NOPERM");
        }
    }

    @Test
    void whatTheServerForbidsToCheckIsSkipped() {
        try (var server = RedisServer.start("--save", "")) {
            var rules = LeastAcl.rules("").stream()
                    .filter(rule -> !List.of("+role", "+config|get").contains(rule))
                    .toList();
            server.allow("belay", rules);
            try (var broker = Broker.open("redis://belay:secret@127.0.0.1:" + server.port() + "/0")) {
                assertThat(broker.admin().check())
                        .filteredOn(check -> check.result() == StoreCheck.Result.SKIPPED)
                        .extracting(StoreCheck::name)
                        .containsExactlyInAnyOrder("role", "eviction", "persistence");
                enqueue(broker);
            }
        }
    }

    @Test
    void aWrongPasswordIsSaidWithoutRepeatingIt() {
        try (var server = RedisServer.start("--save", "")) {
            server.allow("belay", LeastAcl.rules(""));
            assertThatThrownBy(() -> Broker.open("redis://belay:hunter2@127.0.0.1:" + server.port() + "/0"))
                    .isInstanceOf(BrokerException.class)
                    .hasMessageContaining("WRONGPASS")
                    .satisfies(e -> assertThat(trace(e)).doesNotContain("hunter2"));
        }
    }

    private static String trace(Throwable e) {
        var text = new java.io.StringWriter();
        e.printStackTrace(new java.io.PrintWriter(text));
        return text.toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"redis://", "redis:// host", "redis://:hunter2@host:notaport/0", "redis://h/notadatabase"})
    void whatIsNoAddressIsRefusedWithoutRepeatingIt(String address) {
        assertThatThrownBy(() -> RedisBroker.builder(address).open())
                .isInstanceOfAny(InvalidInputException.class)
                .hasMessageContaining("redis://host:6379/0")
                .satisfies(e -> assertThat(trace(e)).doesNotContain("hunter2"));
    }

    @Test
    void aProgramThatIsTooOldIsRefusedAndGoesQuietWhenItBecomesSo() {
        try (var server = RedisServer.start("--save", "");
                var broker = Broker.open(server.address(0))) {
            var session = SessionId.next();
            broker.register(
                    new SessionSpec(session, "mail", "worker", "host", 1, Duration.ofMinutes(1), Map.of("work", 1)));
            assertThat(broker.heartbeat(List.of(new Beat(session, 0, Map.of())))
                            .get(0)
                            .quiet())
                    .isFalse();
            server.ask(commands -> commands.hset("{belay}:version", Map.of("version", "3", "oldest", "2")));
            assertThat(broker.heartbeat(List.of(new Beat(session, 0, Map.of())))
                            .get(0)
                            .quiet())
                    .isTrue();
            assertThatThrownBy(() -> Broker.open(server.address(0)))
                    .isInstanceOf(BrokerException.Rejected.class)
                    .hasMessageContaining("is of version 3 and needs a program that knows version 2")
                    .hasMessageContaining("use a newer Belay");
        }
    }

    @Test
    void aReplicaAndAServerThatEvictsAreRefused() {
        try (var server =
                RedisServer.start("--save", "", "--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru")) {
            assertThatThrownBy(() -> Broker.open(server.address(0)))
                    .isInstanceOf(BrokerException.Rejected.class)
                    .hasMessageContaining("maxmemory-policy is allkeys-lru")
                    .hasMessageContaining("noeviction");
            server.set("maxmemory-policy", "noeviction");
            String answer = server.ask(commands -> commands.replicaof("127.0.0.1", 1));
            assertThat(answer).isEqualTo("OK");
            assertThatThrownBy(() -> Broker.open(server.address(0)))
                    .isInstanceOf(BrokerException.Rejected.class)
                    .hasMessageContaining("connect to the primary");
        }
    }
}
