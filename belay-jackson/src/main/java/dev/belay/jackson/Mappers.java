package dev.belay.jackson;

import java.util.function.Consumer;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.JsonRecyclerPools;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/** How Jackson is set up. */
final class Mappers {

    private Mappers() {}

    /** Reading is limited no more than writing; how long a payload may be is not Jackson's to say. */
    static JsonFactory factory() {
        return JsonFactory.builder()
                // The default pool is one queue that all threads contend for; this one has buffers for each thread.
                .recyclerPool(JsonRecyclerPools.sharedHybridPool())
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(JacksonCodec.MAX_DEPTH)
                        .maxNumberLength(JacksonCodec.MAX_NUMBER_LENGTH)
                        .maxStringLength(Integer.MAX_VALUE)
                        .maxNameLength(Integer.MAX_VALUE)
                        .build())
                .streamWriteConstraints(StreamWriteConstraints.builder()
                        .maxNestingDepth(JacksonCodec.MAX_DEPTH)
                        .build())
                // An unlucky set of names is slow to read, but is read.
                .disable(TokenStreamFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
                // UTF-8 and nothing else.
                .disable(TokenStreamFactory.Feature.CHARSET_DETECTION)
                .build();
    }

    static JsonMapper build(Consumer<JsonMapper.Builder> customizer) {
        var builder = JsonMapper.builder(factory())
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
                .enable(JsonNodeFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                // A class of which nothing would be written is a mistake. (An empty record is not.)
                .enable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
                .disable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS)
                .disable(DateTimeFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
                .enable(DateTimeFeature.WRITE_DATES_WITH_ZONE_ID)
                .disable(DateTimeFeature.WRITE_DATES_WITH_CONTEXT_TIME_ZONE)
                .disable(DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
                .disable(DateTimeFeature.NORMALIZE_DESERIALIZED_ZONE_ID);
        builder.addModule(new SimpleModule("belay-numbers").addDeserializer(Number.class, new UntypedNumber()));
        customizer.accept(builder);
        return builder.deactivateDefaultTyping()
                .polymorphicTypeValidator(new NoClassesFromData.Validator())
                // Last, so that it comes before the modules of the user's own.
                .addModule(new NoClassesFromData())
                .build();
    }
}
