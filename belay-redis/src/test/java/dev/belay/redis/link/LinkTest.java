package dev.belay.redis.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.broker.BrokerException;
import dev.belay.redis.RedisServer;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A connection that ends just as it is used. */
class LinkTest {

    private static Link linkTo(RedisServer server) {
        return new Link(RedisURI.create(server.address(0)), Duration.ofSeconds(5), () -> {});
    }

    /** The server ends the connection, and only then it is used. */
    private static RedisFuture<String> sentInVain(RedisServer server, RedisAsyncCommands<byte[], byte[]> commands) {
        server.ask(other -> other.clientKill(KillArgs.Builder.typeNormal().skipme(true)));
        while (commands.getStatefulConnection().isOpen()) {
            Thread.onSpinWait();
        }
        return commands.ping();
    }

    @Test
    @Timeout(30)
    void whatWasNeverSentGoesOutOnAnotherConnection() {
        try (var server = RedisServer.start("--save", "");
                var link = linkTo(server)) {
            var tries = new AtomicInteger();
            String answer = link.call(
                    commands -> tries.incrementAndGet() == 1 ? sentInVain(server, commands) : commands.ping());
            assertThat(answer).isEqualTo("PONG");
            assertThat(tries).hasValue(2);
        }
    }

    @Test
    @Timeout(30)
    void whatIsNeverSentAgainIsToldAsNotApplied() {
        try (var server = RedisServer.start("--save", "");
                var link = linkTo(server)) {
            assertThatThrownBy(() -> link.<String>call(commands -> sentInVain(server, commands)))
                    .isInstanceOf(BrokerException.NotApplied.class)
                    .hasMessageContaining("can't be reached");
            String answer = link.call(RedisAsyncCommands::ping);
            assertThat(answer).isEqualTo("PONG");
        }
    }
}
