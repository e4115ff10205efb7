package dev.belay.jackson;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.Version;
import tools.jackson.databind.DatabindContext;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.KeyDeserializer;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.NopAnnotationIntrospector;
import tools.jackson.databind.jsontype.PolymorphicTypeValidator;
import tools.jackson.databind.module.SimpleModule;

/**
 * Closes every way in which data could name a class: it is refused when it is written as well as when it is read, so that
 * nobody finds out too late. Whoever can write to a broker must not decide which code runs in a worker.
 */
final class NoClassesFromData extends SimpleModule {

    private static final long serialVersionUID = 1;

    private static final String WHY = "a payload must not name classes: data would decide which class is loaded";

    NoClassesFromData() {
        super("belay-no-classes-from-data");
        refuse(Class.class);
        refuse(JavaType.class);
    }

    @Override
    public void setupModule(SetupContext context) {
        super.setupModule(context);
        context.insertAnnotationIntrospector(new Introspector());
    }

    private <T> void refuse(Class<T> type) {
        addSerializer(type, new Unwritten<>());
        addKeySerializer(type, new Unwritten<>());
        addDeserializer(type, new Unread<>());
        addKeyDeserializer(type, new UnreadKey());
    }

    private static final class Unwritten<T> extends ValueSerializer<T> {
        @Override
        public void serialize(T value, JsonGenerator generator, SerializationContext context) {
            context.reportBadDefinition(value.getClass(), WHY);
        }
    }

    private static final class Unread<T> extends ValueDeserializer<T> {
        @Override
        public @Nullable T deserialize(JsonParser parser, DeserializationContext context) {
            return context.reportBadDefinition(Class.class, WHY);
        }
    }

    private static final class UnreadKey extends KeyDeserializer {
        @Override
        public Object deserializeKey(String key, DeserializationContext context) {
            return context.reportBadDefinition(Class.class, WHY);
        }
    }

    /** Finds the annotation that asks for class names. */
    private static final class Introspector extends NopAnnotationIntrospector {
        private static final long serialVersionUID = 1;

        @Override
        public Version version() {
            return Version.unknownVersion();
        }

        @Override
        public JsonTypeInfo.@Nullable Value findPolymorphicTypeInfo(MapperConfig<?> config, Annotated annotated) {
            var info = annotated.getAnnotation(JsonTypeInfo.class);
            if (info != null && namesClasses(info.use())) {
                throw new IllegalArgumentException("@JsonTypeInfo(use = " + info.use() + ") on " + annotated.getName()
                        + " is not allowed: " + WHY + "; use NAME with @JsonSubTypes, or DEDUCTION");
            }
            return null;
        }

        private static boolean namesClasses(JsonTypeInfo.Id id) {
            return id == JsonTypeInfo.Id.CLASS || id == JsonTypeInfo.Id.MINIMAL_CLASS;
        }
    }

    /** Denies what reaches Jackson's own gate. */
    static final class Validator extends PolymorphicTypeValidator {
        private static final long serialVersionUID = 1;

        @Override
        public Validity validateBaseType(DatabindContext context, JavaType baseType) {
            return Validity.DENIED;
        }

        @Override
        public Validity validateSubClassName(DatabindContext context, JavaType baseType, String subClassName) {
            return Validity.DENIED;
        }

        @Override
        public Validity validateSubType(DatabindContext context, JavaType baseType, JavaType subType) {
            return Validity.DENIED;
        }
    }
}
