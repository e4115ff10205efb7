package dev.belay.redis.record;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessageFormat;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessagePackException;
import org.msgpack.core.MessageUnpacker;

/**
 * MessagePack, as scripts read and write it. Text and bytes are the same there; what is absent is {@code false}, as an
 * array of Lua ends at its first nil.
 */
public final class Packed {

    /** Records are of some hundred bytes: the default buffer of 8 KiB would be filled with zeros for each. */
    private static final MessagePack.PackerConfig SMALL = new MessagePack.PackerConfig().withBufferSize(256);

    private Packed() {}

    /** Packs numbers, text, bytes, booleans, lists and maps with text for keys; null is {@code false}. */
    public static byte[] bytes(@Nullable Object value) {
        try (var packer = SMALL.newBufferPacker()) {
            pack(packer, value);
            return packer.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void pack(MessageBufferPacker packer, @Nullable Object value) throws IOException {
        if (value == null) {
            packer.packBoolean(false);
        } else if (value instanceof Boolean b) {
            packer.packBoolean(b);
        } else if (value instanceof Number n) {
            packer.packLong(n.longValue());
        } else if (value instanceof byte[] b) {
            packer.packRawStringHeader(b.length).writePayload(b);
        } else if (value instanceof String s) {
            pack(packer, s.getBytes(StandardCharsets.UTF_8));
        } else if (value instanceof List<?> list) {
            packer.packArrayHeader(list.size());
            for (var item : list) {
                pack(packer, item);
            }
        } else if (value instanceof Map<?, ?> map) {
            packer.packMapHeader(map.size());
            for (var entry : map.entrySet()) {
                pack(packer, entry.getKey());
                pack(packer, entry.getValue());
            }
        } else {
            throw new IllegalArgumentException("can't pack " + value.getClass());
        }
    }

    /**
     * Unpacks an array: its elements are {@code Long}, {@code Double}, {@code byte[]}, {@code Boolean.TRUE}, lists, maps
     * with text for keys, or null for {@code false} and nil.
     *
     * @throws CorruptRecordException where the bytes are no array
     */
    public static List<@Nullable Object> array(byte[] bytes) throws CorruptRecordException {
        try (var unpacker = MessagePack.newDefaultUnpacker(bytes)) {
            var value = unpack(unpacker);
            if (value instanceof Map<?, ?> map && map.isEmpty()) {
                return List.of();
            }
            if (value instanceof List<?> list && !unpacker.hasNext()) {
                return new ArrayList<>(list);
            }
            throw new CorruptRecordException("is no packed array");
        } catch (IOException | MessagePackException e) {
            throw new CorruptRecordException("can't be unpacked: " + e.getMessage());
        }
    }

    private static @Nullable Object unpack(MessageUnpacker unpacker) throws IOException {
        var format = unpacker.getNextFormat();
        switch (format.getValueType()) {
            case NIL -> {
                unpacker.unpackNil();
                return null;
            }
            case BOOLEAN -> {
                return unpacker.unpackBoolean() ? Boolean.TRUE : null;
            }
            case INTEGER -> {
                return format == MessageFormat.UINT64
                        ? unpacker.unpackBigInteger().longValue()
                        : unpacker.unpackLong();
            }
            case FLOAT -> {
                return unpacker.unpackDouble();
            }
            case STRING -> {
                return unpacker.readPayload(unpacker.unpackRawStringHeader());
            }
            case BINARY -> {
                return unpacker.readPayload(unpacker.unpackBinaryHeader());
            }
            case ARRAY -> {
                var size = unpacker.unpackArrayHeader();
                var list = new ArrayList<@Nullable Object>();
                for (var i = 0; i < size; i++) {
                    list.add(unpack(unpacker));
                }
                return list;
            }
            case MAP -> {
                var size = unpacker.unpackMapHeader();
                var map = new HashMap<String, @Nullable Object>();
                for (var i = 0; i < size; i++) {
                    var key = unpack(unpacker);
                    map.put(key instanceof byte[] b ? text(b) : String.valueOf(key), unpack(unpacker));
                }
                return map;
            }
            default -> throw new MessagePackException("unexpected " + format);
        }
    }

    static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
