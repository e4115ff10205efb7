package dev.belay.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.belay.broker.Command;
import dev.belay.broker.Verdict;
import dev.belay.job.SessionId;
import dev.belay.tck.BrokerSuite;
import org.junit.jupiter.api.Test;

/** Numbered commands to a session, kept until a heartbeat names them as seen. */
public class CommandTest extends BrokerSuite {

    @Test
    void commandsComeInOrderUntilTheyAreNamed() {
        var worker = worker();
        applied(admin.tell(worker.id(), Command.Kind.GO_QUIET, ANN));
        applied(secondNode().admin().tell(worker.id(), Command.Kind.RESUME, ANN));
        applied(admin.tell(worker.id(), Command.Kind.DRAIN, ANN));

        var commands = worker.heartbeat().commands();
        assertThat(commands)
                .extracting(command -> (Object) command.getClass())
                .containsExactly(Command.GoQuiet.class, Command.Resume.class, Command.Drain.class);
        assertThat(commands).extracting(Command::number).isSorted().doesNotHaveDuplicates();
        assertThat(commands.get(0).number()).isPositive();
        assertThat(worker.heartbeat().commands()).as("not named yet").isEqualTo(commands);

        assertThat(worker.heartbeat(commands.get(1).number()).commands()).containsExactly(commands.get(2));
        assertThat(worker.heartbeat(commands.get(2).number()).commands()).isEmpty();
        assertThat(worker.heartbeat().commands()).as("dropped for good").isEmpty();
    }

    @Test
    void numbersGrowEvenAfterAllWereSeen() {
        var worker = worker();
        applied(admin.tell(worker.id(), Command.Kind.GO_QUIET, ANN));
        var first = worker.heartbeat().commands().get(0).number();
        worker.heartbeat(first);
        applied(admin.tell(worker.id(), Command.Kind.GO_QUIET, ANN));

        assertThat(worker.heartbeat(first).commands())
                .singleElement()
                .satisfies(command -> assertThat(command.number()).isGreaterThan(first));
    }

    @Test
    void commandsAreForOneSession() {
        var told = worker();
        var other = worker();
        applied(admin.tell(told.id(), Command.Kind.DRAIN, ANN));

        assertThat(other.heartbeat().commands()).isEmpty();
        assertThat(told.heartbeat().commands()).hasSize(1);
    }

    @Test
    void aCancelledLeaseIsRevokedByACommand() {
        var id = accept(job());
        var worker = worker();
        var lease = worker.leaseOne();
        applied(admin.cancel(QUEUE, id, ANN));

        assertThat(worker.heartbeat().commands()).singleElement().satisfies(command -> {
            assertThat(command).isInstanceOf(Command.LeaseRevoked.class);
            assertThat(((Command.LeaseRevoked) command).job()).isEqualTo(id);
            assertThat(((Command.LeaseRevoked) command).token())
                    .isEqualTo(lease.id().token());
        });
    }

    @Test
    void cancellingWhatIsNotRunningRevokesNothing() {
        var worker = worker();
        applied(admin.cancel(QUEUE, accept(job()), ANN));
        applied(admin.cancel(QUEUE, accept(job().delay(seconds(60))), ANN));

        assertThat(worker.heartbeat().commands()).isEmpty();
    }

    @Test
    void aStrangerCannotBeTold() {
        var ended = worker();
        ended.end();

        assertThat(admin.tell(SessionId.next(), Command.Kind.DRAIN, ANN)).isEqualTo(Verdict.MISSING);
        assertThat(admin.tell(ended.id(), Command.Kind.DRAIN, ANN)).isEqualTo(Verdict.MISSING);
    }
}
