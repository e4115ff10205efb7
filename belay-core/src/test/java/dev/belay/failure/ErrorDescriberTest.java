package dev.belay.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.belay.job.JobError;
import dev.belay.job.Limits;
import java.io.IOException;
import java.io.Serial;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.lang.reflect.UndeclaredThrowableException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ErrorDescriberTest {

    /** However slow the machine. */
    private final ErrorDescriber describer = new ErrorDescriber(Duration.ofMinutes(1));

    private final ErrorDescriber hasty = new ErrorDescriber(Duration.ofMillis(100));

    @Test
    void anOrdinaryOneIsToldInFull() {
        var error = describe(new IllegalStateException("no connection", new IOException("reset")));

        assertThat(error.errorClass()).isEqualTo("java.lang.IllegalStateException");
        assertThat(error.message()).isEqualTo("no connection");
        assertThat(error.stack())
                .startsWith("java.lang.IllegalStateException: no connection\n\tat ")
                .contains("ErrorDescriberTest.anOrdinaryOneIsToldInFull")
                .contains("Caused by: java.io.IOException: reset\n\tat ");
        assertThat(error.fingerprint()).matches("[0-9a-f]{32}");
    }

    @Test
    void case51_cyclicCauses() {
        var a = new RuntimeException("a");
        var b = new RuntimeException("b", a);
        a.initCause(b);

        var error = describe(a);

        assertThat(error.message()).isEqualTo("a");
        assertThat(error.stack())
                .contains("Caused by: java.lang.RuntimeException: b")
                .contains("circular reference");
    }

    @Test
    void case51_suppressedThatSuppressOneAnother() {
        var a = new RuntimeException("a");
        var b = new RuntimeException("b", a);
        a.addSuppressed(b);
        b.addSuppressed(a);

        assertThat(describe(a).stack()).contains("Suppressed: java.lang.RuntimeException: b");
    }

    @Test
    void case51_aMessageThatThrows() {
        var error = describe(new Odd(() -> {
            throw new IllegalArgumentException("no message for you");
        }));

        assertThat(error.errorClass()).endsWith("$Odd");
        assertThat(error.message()).contains("can't be read").contains("IllegalArgumentException");
        assertThat(error.stack()).contains("case51_aMessageThatThrows");
    }

    @Test
    void case51_aMessageThatOverflowsTheStack() {
        assertThat(describe(new Recursive()).message())
                .contains("can't be read")
                .contains("StackOverflowError");
    }

    @Test
    void case51_noMessage() {
        assertThat(describe(new RuntimeException((String) null)).message()).isEmpty();
        assertThat(describe(new Odd(() -> null)).message()).isEmpty();
    }

    @Test
    void case51_aMessageThatBlocks() {
        var release = new CountDownLatch(1);
        var started = System.nanoTime();

        var error = hasty.describe("mail", new Odd(() -> {
            uninterruptibly(release);
            return "late";
        }));

        assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(Duration.ofSeconds(10));
        assertThat(error.errorClass()).endsWith("$Odd");
        assertThat(error.message()).contains("100 ms");
        assertThat(hasty.blocked()).isEqualTo(1);
        // The next one is told by another thread.
        await().until(() ->
                hasty.describe("mail", new Odd(() -> "quick")).message().equals("quick"));
        release.countDown();
        await().until(() -> hasty.blocked() == 0);
    }

    @Test
    @SuppressWarnings("OverrideThrowableToString")
    void case51_aToStringThatBlocksIsNeverAsked() {
        class Blocking extends RuntimeException {
            @Serial
            private static final long serialVersionUID = 1;

            Blocking() {
                super("plain");
            }

            @Override
            public String toString() {
                throw new AssertionError("was asked");
            }
        }
        assertThat(describe(new Blocking()).stack()).contains("Blocking: plain");
    }

    @Test
    void case51_manyThatBlockHoldABoundedNumberOfThreads() {
        var quick = new ErrorDescriber(Duration.ofMillis(20));
        var release = new CountDownLatch(1);
        for (var i = 0; i < Patience.MAX_BLOCKED + 30; i++) {
            quick.describe("mail", new Odd(() -> {
                uninterruptibly(release);
                return "late";
            }));
        }

        assertThat(quick.blocked()).isEqualTo(Patience.MAX_BLOCKED);
        // Those that can be trusted are told all the same.
        assertThat(quick.describe("mail", new IOException("plain")).message()).isEqualTo("plain");
        release.countDown();
        await().until(() -> quick.blocked() == 0);
        await().until(() ->
                quick.describe("mail", new Odd(() -> "again")).message().equals("again"));
    }

    @Test
    void case51_aNotSerialisableOneIsTold() {
        class Held extends RuntimeException {
            @Serial
            private static final long serialVersionUID = 1;

            @SuppressWarnings({"unused", "serial"})
            private final Object notSerialisable = new Object();
        }
        assertThat(describe(new Held()).errorClass()).contains("Held");
    }

    @Test
    void aBlockedOneLeavesTheCallersInterruptAlone() {
        var release = new CountDownLatch(1);
        Thread.currentThread().interrupt();
        hasty.describe("mail", new Odd(() -> {
            uninterruptibly(release);
            return "late";
        }));
        release.countDown();

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void fiveThousandSuppressed() {
        var thrown = new RuntimeException("many");
        for (var i = 0; i < 5_000; i++) {
            thrown.addSuppressed(new RuntimeException("suppressed " + i));
        }

        assertThat(describe(thrown).stack()).contains("suppressed 2").contains("… 4997 more suppressed");
    }

    @Test
    void aHundredThousandCausesKeepTheRootInSight() {
        var thrown = new RuntimeException("the root");
        for (var i = 0; i < 100_000; i++) {
            thrown = new RuntimeException("cause " + i, thrown, false, false) {
                @Serial
                private static final long serialVersionUID = 1;
            };
        }

        assertThat(describe(thrown).stack())
                .startsWith(thrown.getClass().getName() + ": cause 99999")
                .contains("… 99991 more causes …")
                .contains("Caused by: java.lang.RuntimeException: the root\n\tat ");
    }

    @Test
    void causesThatAreMadeUpAsTheyAreAskedForEnd() {
        class Endless extends RuntimeException {
            @Serial
            private static final long serialVersionUID = 1;

            Endless() {
                super("endless", null, false, false);
            }

            @Override
            public synchronized Throwable getCause() {
                return new Endless();
            }
        }
        assertThat(describe(new Endless()).errorClass()).contains("Endless");
    }

    @Test
    void everythingIsBoundedAndClean() {
        var text = "\0a\ud83d\ud83d\ude00\ude00" + "é€\ud83d\ude00".repeat(1_000_000);
        Throwable thrown = new RuntimeException(text, new Error(text, new IOException(text)));
        thrown.addSuppressed(new RuntimeException(text));

        for (var error : List.of(describe(thrown), describe(new Odd(() -> text)))) {
            assertThat(bytes(error.message())).isBetween(4_000, Limits.ERROR_MESSAGE);
            assertThat(bytes(error.stack())).isLessThanOrEqualTo(Limits.ERROR_STACK);
            assertThat(error.message())
                    .startsWith("\ufffda\ufffd\ud83d\ude00\ufffdé€")
                    .endsWith("…");
            for (var part : List.of(error.errorClass(), error.message(), error.stack())) {
                assertThat(part).doesNotContain("\0");
                assertThat(new String(part.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
                        .isEqualTo(part);
            }
        }
    }

    @Test
    void aDeepStackHidesNoCause() {
        StackOverflowError thrown;
        try {
            throw new AssertionError(recurse(0));
        } catch (StackOverflowError e) {
            thrown = e;
        }
        var error = describe(new RuntimeException("outer", thrown));

        assertThat(error.stack())
                .contains("Caused by: java.lang.StackOverflowError")
                .contains("more frames");
    }

    @Test
    void oddStacksAreTold() {
        class NoStack extends RuntimeException {
            @Serial
            private static final long serialVersionUID = 1;

            @Override
            @SuppressWarnings("NullAway")
            public StackTraceElement[] getStackTrace() {
                return null;
            }
        }
        assertThat(describe(new NoStack()).stack()).contains("NoStack");
    }

    @Test
    void errorsOfOneKindHaveOneFingerprint() {
        var fingerprints = new ArrayList<String>();
        for (var i = 0; i < 5; i++) {
            fingerprints.add(describe(new IllegalStateException("order " + (1000 + i * 7) + " of 'ann" + i
                            + "' at 2026-01-0" + (i + 1) + "T00:00:00Z took 1." + i + " ms in 0xdeadbee" + i
                            + ", id 0198c2f0-5b7e-7c3a-9d1e-2f4a6b8c0d1" + i + ", java.lang.Object@"
                            + "abcdef".charAt(i)
                            + "ab"))
                    .fingerprint());
        }
        assertThat(fingerprints).containsOnly(fingerprints.get(0));
    }

    @Test
    void othersHaveAnother() {
        var base = thrown("no mail server").get(0);
        var one = describer.describe("mail", base).fingerprint();

        assertThat(describer.describe("sms", base).fingerprint()).isNotEqualTo(one);
        assertThat(describe(thrown("no dns server").get(0)).fingerprint()).isNotEqualTo(one);
        assertThat(describe(new IllegalStateException("no mail server")).fingerprint())
                .isNotEqualTo(one);
        var elsewhere = elsewhere("no mail server");
        assertThat(describe(elsewhere).fingerprint()).isNotEqualTo(one);
        assertThat(describe(thrown("no mail server").get(0)).fingerprint()).isEqualTo(one);
    }

    @Test
    void apostrophesAreNoQuotes() {
        assertThat(ErrorFingerprint.normalised("can't find user 'bob' and don't know \"why\""))
                .isEqualTo("can't find user ? and don't know ?");
    }

    @Test
    void numbersOfLambdasProxiesAndAccessorsDoNotCount() throws Exception {
        for (var pair : List.of(
                List.of("a.B$$Lambda$14/0x0000000800c03000", "a.B$$Lambda$99/0x0000000800aaaaaa"),
                List.of("a.B$$Lambda/0x00007f0001", "a.B$$Lambda/0x00007fffff"),
                List.of("jdk.proxy2.$Proxy12", "jdk.proxy3.$Proxy7"),
                List.of("a.B$$EnhancerBySpringCGLIB$$1a2b", "a.B$$EnhancerBySpringCGLIB$$ffff"),
                List.of("a.B$$SpringCGLIB$$0", "a.B$$SpringCGLIB$$1"))) {
            assertThat(ErrorFingerprint.stableClass(pair.get(0))).isEqualTo(ErrorFingerprint.stableClass(pair.get(1)));
        }
        assertThat(viaReflection(1)).isEqualTo(viaReflection(40));
    }

    /** The frames of a reflective call change once it has been made often enough. */
    private String viaReflection(int times) throws Exception {
        InvocationHandler handler = (proxy, method, args) -> {
            throw new IOException("via a proxy");
        };
        var runnable = (Runnable)
                Proxy.newProxyInstance(Runnable.class.getClassLoader(), new Class<?>[] {Runnable.class}, handler);
        var method = Runnable.class.getMethod("run");
        var last = "";
        for (var i = 0; i < times; i++) {
            try {
                method.invoke(runnable);
            } catch (InvocationTargetException e) {
                var undeclared = (UndeclaredThrowableException) e.getTargetException();
                last = describe(undeclared.getUndeclaredThrowable()).fingerprint();
            }
        }
        return last;
    }

    private JobError describe(Throwable thrown) {
        return describer.describe("mail", thrown);
    }

    private static List<Throwable> thrown(String message) {
        return List.of(new IOException(message));
    }

    private static Throwable elsewhere(String message) {
        return new IOException(message);
    }

    @SuppressWarnings("InfiniteRecursion")
    private static int recurse(int i) {
        return recurse(i + 1) + 1;
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static void uninterruptibly(CountDownLatch latch) {
        while (true) {
            try {
                latch.await();
                return;
            } catch (InterruptedException e) {
                // It is a test of what ignores its interrupt.
            }
        }
    }

    @FunctionalInterface
    interface Message {
        @Nullable
        String get();
    }

    private static final class Odd extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1;

        private final transient Message message;

        Odd(Message message) {
            this.message = message;
        }

        @Override
        public @Nullable String getMessage() {
            return message.get();
        }
    }

    private static final class Recursive extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1;

        @Override
        @SuppressWarnings("InfiniteRecursion")
        public String getMessage() {
            return getMessage() + "!";
        }
    }
}
