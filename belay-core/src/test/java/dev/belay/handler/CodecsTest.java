package dev.belay.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.belay.job.InvalidInputException;
import dev.belay.job.JobLinks;
import dev.belay.job.JobType;
import dev.belay.job.NewJob;
import dev.belay.job.Payload;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CodecsTest {

    private static final JobType<String> MAIL = JobType.of("mail", String.class);

    private final Codecs plain = Codecs.of(new TextCodec());

    /** Not safe at all: each byte plus a number. */
    private record Shift(String name, int by) implements PayloadTransform {
        @Override
        public byte[] apply(byte[] bytes) {
            return shifted(bytes, by);
        }

        @Override
        public byte[] revert(byte[] bytes, int maxBytes) {
            return shifted(bytes, -by);
        }

        private static byte[] shifted(byte[] bytes, int by) {
            var result = new byte[bytes.length];
            for (var i = 0; i < bytes.length; i++) {
                result[i] = (byte) (bytes[i] + by);
            }
            return result;
        }
    }

    @Test
    void aChainIsAppliedLeftToRightAndRevertedRightToLeft() throws Exception {
        var codecs = Codecs.of(new TextCodec(), new GzipTransform(), new Shift("aes", 3));

        var payload = encode(codecs, "hello").payload();

        assertThat(codecs.encoding()).isEqualTo("text+gzip+aes");
        assertThat(payload.encoding()).isEqualTo("text+gzip+aes");
        // The magic number of gzip, shifted.
        assertThat(payload.bytes()[0]).isEqualTo((byte) (0x1f + 3));
        assertThat(codecs.decode(payload, MAIL)).isEqualTo("hello");
        assertThat(codecs.show(payload)).isEqualTo("<hello>");
    }

    @Test
    void everyChainOfKnownLinksIsReadWhateverIsWritten() throws Exception {
        var before = Codecs.of(new TextCodec(), new GzipTransform());
        var now = Codecs.of(new TextCodec(), new Shift("aes", 3));

        assertThat(now.decode(encode(before, "old").payload(), MAIL)).isEqualTo("old");
        assertThat(now.decode(encode(plain, "plain").payload(), MAIL)).isEqualTo("plain");
    }

    @Test
    void unknownLinksAreNamed() {
        var payload =
                encode(Codecs.of(new TextCodec(), new Shift("aes", 3)), "x").payload();

        assertThatThrownBy(() -> plain.decode(payload, MAIL))
                .isInstanceOf(UndecodableException.class)
                .hasMessage("no transform 'aes' is known here; known are [gzip]");
        assertThat(plain.show(payload))
                .isEqualTo("(1 bytes that can't be shown: no transform 'aes' is known here; known are [gzip])");
        assertThatThrownBy(() -> plain.decode(new Payload(new byte[0], "cbor+gzip", 1), MAIL))
                .hasMessageContaining("no codec 'cbor' is known here; known are [text]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"+", "text+", "+text", "text++gzip", "gzip+text", "text gzip"})
    void chainsThatMakeNoSenseAreUndecodable(String encoding) {
        assertThatThrownBy(() -> plain.decode(new Payload("x".getBytes(StandardCharsets.UTF_8), encoding, 1), MAIL))
                .isInstanceOf(UndecodableException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a+b", "A", "with space", "a-very-long-name-of-a-link"})
    void namesOfLinksAreChecked(String name) {
        assertThatThrownBy(() -> Codecs.of(new TextCodec(), new Shift(name, 1)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("codec name");
    }

    @Test
    void theFingerprintIsThatOfTheCanonicalPayloadBeforeAnyTransform() {
        var gzip = Codecs.of(new TextCodec(), new GzipTransform());

        var one = encode(plain, "Hello").key();
        var other = encode(gzip, "hELLO").key();

        assertThat(one.fingerprint()).isEqualTo(other.fingerprint());
        assertThat(one.fingerprint()).isNotEqualTo(encode(plain, "Hallo").key().fingerprint());
        assertThat(one.explicit()).isFalse();
        assertThat(plain.encode(MAIL.with("x").key("k"), JobLinks.NONE).key())
                .extracting("value", "explicit")
                .containsExactly("k", true);
    }

    @Test
    void aTypeCanDemandAKey() {
        var type = JobType.define("charge", String.class).requireKey().build();

        assertThatThrownBy(() -> plain.encode(type.with("x"), JobLinks.NONE))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("idempotencyKey")
                .hasMessageContaining("charge");
        assertThat(plain.encode(type.with("x").key("k"), JobLinks.NONE).key().value())
                .isEqualTo("k");
    }

    @Test
    void whatIsAboutAKeyDemandsOne() {
        var type = JobType.define("sync", String.class).atMostOneWaiting().build();

        assertThatThrownBy(() -> plain.encode(type.with("x"), JobLinks.NONE))
                .isInstanceOfSatisfying(
                        InvalidInputException.class, e -> assertThat(e.field()).isEqualTo("idempotencyKey"))
                .hasMessageContaining("atMostOneWaiting")
                .hasMessageContaining("sync")
                .hasMessageContaining("call key(");
        assertThatThrownBy(() -> plain.encode(MAIL.with("x").replaceWaiting(), JobLinks.NONE))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("replaceWaiting");
        assertThat(plain.encode(type.with("x").key("k"), JobLinks.NONE)
                        .options()
                        .dedup())
                .isEqualTo(type.options().dedup());
        assertThat(plain.encode(MAIL.with("x").dedupWindow(java.time.Duration.ofDays(2)), JobLinks.NONE)
                        .key()
                        .explicit())
                .isFalse();
    }

    @Test
    @SuppressWarnings({"unchecked", "rawtypes"})
    void aPayloadOfAnotherClassIsRefused() {
        var wrong = ((JobType) MAIL).with(7);

        assertThatThrownBy(() -> plain.encode(wrong, JobLinks.NONE))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("java.lang.String")
                .hasMessageContaining("java.lang.Integer");
    }

    @Test
    void oldVersionsAreUpcast() throws Exception {
        var type = JobType.define("mail", String.class)
                .version(3)
                .upcast(1, Integer.class, n -> "number " + n)
                .upcast(2, String.class, text -> text + "!")
                .build();

        assertThat(plain.decode(stored("7", 1), type)).isEqualTo("number 7");
        assertThat(plain.decode(stored("7", 2), type)).isEqualTo("7!");
        assertThat(plain.decode(stored("7", 3), type)).isEqualTo("7");
        assertThat(plain.encode(type.with("x"), JobLinks.NONE).payload().schemaVersion())
                .isEqualTo(3);
    }

    @Test
    @SuppressWarnings("NullAway")
    void upcastersThatFailMakeItUndecodable() {
        var type = JobType.define("mail", String.class)
                .version(5)
                .upcast(1, Integer.class, n -> {
                    throw new IllegalStateException("no idea");
                })
                .upcast(2, Integer.class, n -> null)
                .upcast(3, Integer.class, String::valueOf)
                .build();

        assertThatThrownBy(() -> plain.decode(stored("7", 1), type))
                .isInstanceOf(UndecodableException.class)
                .hasMessageContaining("version 1")
                .hasMessageContaining("no idea");
        assertThatThrownBy(() -> plain.decode(stored("7", 2), type))
                .isInstanceOf(UndecodableException.class)
                .hasMessageContaining("null");
        assertThatThrownBy(() -> plain.decode(stored("x", 3), type))
                .isInstanceOf(UndecodableException.class)
                .hasMessageContaining("not a number");
        assertThatThrownBy(() -> plain.decode(stored("7", 4), type))
                .isInstanceOf(UndecodableException.class)
                .hasMessageContaining("version 4")
                .hasMessageContaining("[");
        assertThatThrownBy(() -> plain.decode(stored("7", 6), type)).isInstanceOf(UndecodableException.class);
    }

    @Test
    void aliasesAreHandledAsTheType() {
        var type = JobType.define("mail", String.class)
                .aliases("email", "send-mail")
                .version(2)
                .build();
        var handlers = Handlers.builder().add(type, (payload, context) -> {}).build();

        assertThat(handlers.types())
                .containsOnlyKeys("mail", "email", "send-mail")
                .containsValue(2);
        assertThat(handlers.find("email")).isSameAs(handlers.find("mail"));
        assertThat(handlers.find("sms")).isNull();
        var other = JobType.define("sms", String.class).aliases("email").build();
        var builder = Handlers.builder().add(type, (payload, context) -> {});
        assertThatThrownBy(() -> builder.add(other, (payload, context) -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'email'");
    }

    @Test
    void aGzipBombStaysSmall() {
        var bomb = new GzipTransform().apply(new byte[4 * 1024 * 1024]);
        var payload = new Payload(bomb, "text+gzip", 1);
        var codecs = plain.maxDecodedBytes(1024 * 1024);

        assertThat(bomb).hasSizeLessThan(8 * 1024);
        assertThatThrownBy(() -> codecs.decode(payload, MAIL))
                .isInstanceOf(UndecodableException.class)
                .hasMessage("more than 1048576 bytes came out of gzip");
        assertThat(codecs.show(payload)).contains("can't be shown").contains("1048576");
    }

    @Test
    void whatATransformWouldNotGiveBackIsRefusedAtOnce() throws Exception {
        var codecs = Codecs.of(new TextCodec(), new GzipTransform()).maxDecodedBytes(1_000);

        assertThat(codecs.decode(encode(codecs, "x".repeat(1_000)).payload(), MAIL))
                .hasSize(1_000);
        assertThatThrownBy(() -> encode(codecs, "x".repeat(1_001)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("1000 bytes")
                .hasMessageContaining("1001 bytes");
        assertThat(encode(plain.maxDecodedBytes(1_000), "x".repeat(1_001))
                        .payload()
                        .size())
                .isEqualTo(1_001);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "\u001f\u008b", "not gzip at all, but long enough to be taken for it"})
    void whatIsNoGzipIsUndecodable(String text) {
        var payload = new Payload(text.getBytes(StandardCharsets.ISO_8859_1), "text+gzip", 1);

        assertThatThrownBy(() -> plain.decode(payload, MAIL))
                .isInstanceOf(UndecodableException.class)
                .hasMessageContaining("not gzip");
    }

    @Test
    void aGzipThatWasCutIsUndecodable() {
        var whole = new GzipTransform().apply("hello, hello, hello".getBytes(StandardCharsets.UTF_8));
        for (var length = 0; length < whole.length; length++) {
            var payload = new Payload(java.util.Arrays.copyOf(whole, length), "text+gzip", 1);
            assertThatThrownBy(() -> plain.decode(payload, MAIL)).isInstanceOf(UndecodableException.class);
        }
    }

    @Test
    void resultsAreBounded() {
        assertThat(plain.encodeResult("x".repeat(64 * 1024))).hasSize(64 * 1024);
        assertThatThrownBy(() -> plain.encodeResult("x".repeat(64 * 1024 + 1)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("result");
    }

    private static NewJob encode(Codecs codecs, String payload) {
        return codecs.encode(MAIL.with(payload), JobLinks.NONE);
    }

    private static Payload stored(String text, int version) {
        return new Payload(text.getBytes(StandardCharsets.UTF_8), "text", version);
    }
}
