package dev.belay.tck.crash;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/**
 * How a child process talks with the test: it tells each step by a line on its standard output ({@code @ started 0198…}),
 * and waits at the steps that it was told to wait at until a line {@code go} comes on its standard input. Thread-safe.
 */
public final class Signals {

    static final String MARK = "@ ";

    private final Set<String> holds = ConcurrentHashMap.newKeySet();
    private final CountDownLatch go = new CountDownLatch(1);

    /** @param holds steps to wait at */
    public Signals(Set<String> holds) {
        this.holds.addAll(holds);
        var reader = new Thread(this::read, "stdin");
        reader.setDaemon(true);
        reader.start();
    }

    /** Tells a step, and waits there if told to; whatever happens. */
    public void reach(String step, Object detail) {
        tell(step, detail);
        while (holds.contains(step)) {
            try {
                go.await();
                return;
            } catch (InterruptedException e) {
                tell("interrupted", detail);
            }
        }
    }

    /** Waits for {@code go}, and ends early when interrupted. */
    public void awaitGo() throws InterruptedException {
        go.await();
    }

    /** Waits for {@code go}, whatever happens. */
    public void awaitGoStubbornly() {
        while (true) {
            try {
                go.await();
                return;
            } catch (InterruptedException e) {
                tell("interrupted", "");
            }
        }
    }

    public void tell(String step, Object detail) {
        var line = (MARK + step + " " + detail + "\n").getBytes(StandardCharsets.UTF_8);
        synchronized (System.out) {
            System.out.write(line, 0, line.length);
            System.out.flush();
        }
    }

    private void read() {
        try (var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (var line = in.readLine(); line != null; line = in.readLine()) {
                if (line.equals("go")) {
                    go.countDown();
                }
            }
        } catch (IOException e) {
            tell("stdin-failed", e);
        }
        // The test has ended: so does this process.
        Runtime.getRuntime().halt(3);
    }
}
