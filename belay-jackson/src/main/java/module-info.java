/** Belay's default payload codec: JSON by Jackson 3. */
module dev.belay.jackson {
    requires transitive dev.belay.core;
    requires transitive tools.jackson.databind;
    requires static transitive org.jspecify;

    exports dev.belay.jackson;

    provides dev.belay.handler.PayloadCodec with
            dev.belay.jackson.JacksonCodec;
}
