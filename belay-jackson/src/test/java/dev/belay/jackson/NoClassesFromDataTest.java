package dev.belay.jackson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.belay.handler.UndecodableException;
import dev.belay.job.InvalidInputException;
import java.io.ByteArrayOutputStream;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.DefaultTyping;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator;

/** Data never decides which class is made. */
class NoClassesFromDataTest {

    /** Is marked by {@link Marker} when that is initialised. */
    static final List<String> MARKS = new ArrayList<>();

    /** A class of the application's that does something when it is initialised. */
    public static final class Marker {
        static {
            MARKS.add("initialised");
        }

        public String value = "";
    }

    private static final String MARKER = "dev.belay.jackson.NoClassesFromDataTest$Marker";

    private final JacksonCodec codec = new JacksonCodec();

    record Loose(Object any, List<Object> list, Map<String, Object> map) {}

    @ParameterizedTest
    @ValueSource(
            strings = {
                MARKER,
                "java.lang.Class",
                "[Ljava.lang.Object;",
                "javax.naming.ldap.LdapName",
                "com.sun.rowset.JdbcRowSetImpl",
                "org.springframework.context.support.ClassPathXmlApplicationContext",
                "java.util.PriorityQueue"
            })
    void case97_classNamesInDataAreJustData(String name) throws Exception {
        var json = """
                {"any":["%1$s",{"dataSourceName":"ldap://127.0.0.1:1/x","autoCommit":true,"value":"x"}],
                 "list":[{"@class":"%1$s","@type":"%1$s","class":"%1$s","$type":"%1$s"}],
                 "map":{"@c":"%1$s","val":["%1$s",[]]},"@class":"%1$s"}""".formatted(name).getBytes(StandardCharsets.UTF_8);

        var loose = codec.decode(json, Loose.class);

        assertThat(loose.any()).isInstanceOf(ArrayList.class);
        assertThat(loose.list().get(0)).isInstanceOf(Map.class);
        assertThat(codec.show(json)).contains(name);
        codec.canonical(json);
        assertThat(MARKS).isEmpty();
    }

    @Test
    void case97_fieldsThatHoldClassesAreRefusedBothWays() {
        record Holder(Class<?> type) {}
        record Keys(Map<Class<?>, String> map) {}
        record Types(JavaType type) {}
        var marker = "\"" + MARKER + "\"";

        for (var c : List.of(Holder.class, Types.class)) {
            assertThatThrownBy(() -> codec.decode(("{\"type\":" + marker + "}").getBytes(StandardCharsets.UTF_8), c))
                    .isInstanceOf(UndecodableException.class)
                    .hasMessageContaining("must not name classes");
        }
        assertThatThrownBy(() ->
                        codec.decode(("{\"map\":{" + marker + ":\"x\"}}").getBytes(StandardCharsets.UTF_8), Keys.class))
                .isInstanceOf(UndecodableException.class);
        assertThatThrownBy(() -> codec.decode(marker.getBytes(StandardCharsets.UTF_8), Class.class))
                .isInstanceOf(UndecodableException.class);
        assertThatThrownBy(() -> codec.encode(new Holder(String.class)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("must not name classes");
        assertThatThrownBy(() -> codec.encode(new Keys(Map.of(String.class, "x"))))
                .isInstanceOf(InvalidInputException.class);
        assertThatThrownBy(() -> codec.encode(Map.of("x", List.of(String.class))))
                .isInstanceOf(InvalidInputException.class);
        assertThat(MARKS).isEmpty();
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
    interface ByClass {}

    record Impl(String a) implements ByClass {}

    record OnField(
            @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS) Object any) {}

    record OnFieldMinimal(
            @JsonTypeInfo(use = JsonTypeInfo.Id.MINIMAL_CLASS)
            Object any) {}

    @Test
    void case97_annotationsThatAskForClassNamesAreRefusedBothWays() {
        var json = ("{\"any\":{\"@class\":\"" + MARKER + "\",\"@c\":\"" + MARKER + "\"},\"@class\":\"" + MARKER + "\"}")
                .getBytes(StandardCharsets.UTF_8);

        for (var c : List.of(ByClass.class, Impl.class, OnField.class, OnFieldMinimal.class)) {
            assertThatThrownBy(() -> codec.decode(json, c)).isInstanceOf(UndecodableException.class);
        }
        for (var value : List.of(new Impl("x"), new OnField("x"), new OnFieldMinimal(List.of()))) {
            assertThatThrownBy(() -> codec.encode(value))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("use NAME");
        }
        assertThat(MARKS).isEmpty();
    }

    @Test
    void case97_aUsersSettingsCannotOpenIt() throws Exception {
        var everything = BasicPolymorphicTypeValidator.builder()
                .allowIfBaseType(Object.class)
                .allowIfSubType(Object.class)
                .build();
        var custom =
                JacksonCodec.customized(builder -> builder.activateDefaultTyping(everything, DefaultTyping.NON_FINAL)
                        .polymorphicTypeValidator(everything));
        var json = ("{\"any\":[\"" + MARKER + "\",{}],\"@class\":\"" + MARKER + "\"}").getBytes(StandardCharsets.UTF_8);

        assertThat(custom.decode(json, Loose.class).any()).isEqualTo(List.of(MARKER, Map.of()));
        assertThatThrownBy(() -> custom.decode(json, OnField.class)).isInstanceOf(UndecodableException.class);
        assertThat(MARKS).isEmpty();
    }

    @Test
    void case97_whatIsNotJsonIsUndecodableAndShownAsBytes() throws Exception {
        var out = new ByteArrayOutputStream();
        try (var objects = new ObjectOutputStream(out)) {
            objects.writeObject(new ArrayList<>(List.of("gadget")));
        }
        var bodies = List.of(
                out.toByteArray(),
                "!!javax.script.ScriptEngineManager [!!java.net.URLClassLoader [[]]]".getBytes(StandardCharsets.UTF_8),
                "<java><object class=\"java.lang.ProcessBuilder\"/></java>".getBytes(StandardCharsets.UTF_8),
                "{\"any\":1".getBytes(StandardCharsets.UTF_8),
                "{\"any\":1} {}".getBytes(StandardCharsets.UTF_8),
                "{\"any\":1}".getBytes(StandardCharsets.UTF_16),
                new byte[] {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF, '{', '}'},
                new byte[] {'"', (byte) 0xED, (byte) 0xA0, (byte) 0x80, '"', 0},
                new byte[] {0, 0, 0},
                new byte[0]);

        for (var body : bodies) {
            assertThatThrownBy(() -> codec.decode(body, Loose.class)).isInstanceOf(UndecodableException.class);
            assertThatThrownBy(() -> codec.canonical(body)).isInstanceOf(InvalidInputException.class);
            assertThat(codec.show(body)).contains("not JSON").contains(body.length + " bytes");
        }
        assertThat(codec.show(bodies.get(0))).contains("ac ed 00 05");
        assertThat(codec.show(bodies.get(2))).contains("<java>");
    }
}
