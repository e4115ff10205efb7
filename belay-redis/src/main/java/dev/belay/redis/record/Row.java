package dev.belay.redis.record;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A packed array, read element by element. */
record Row(List<@Nullable Object> elements) {

    @Nullable
    Object at(int i) {
        return i < elements.size() ? elements.get(i) : null;
    }

    long number(int i) throws CorruptRecordException {
        var value = optionalNumber(i);
        if (value == null) {
            throw new CorruptRecordException("element " + i + " is no number");
        }
        return value;
    }

    int small(int i) throws CorruptRecordException {
        return Math.toIntExact(number(i));
    }

    @Nullable
    Long optionalNumber(int i) throws CorruptRecordException {
        var value = at(i);
        if (value == null || value instanceof Long) {
            return (Long) value;
        }
        throw new CorruptRecordException("element " + i + " is no number");
    }

    byte @Nullable [] optionalBytes(int i) throws CorruptRecordException {
        var value = at(i);
        if (value == null || value instanceof byte[]) {
            return (byte[]) value;
        }
        throw new CorruptRecordException("element " + i + " is no text");
    }

    byte[] bytes(int i) throws CorruptRecordException {
        var value = optionalBytes(i);
        if (value == null) {
            throw new CorruptRecordException("element " + i + " is missing");
        }
        return value;
    }

    @Nullable
    String optionalText(int i) throws CorruptRecordException {
        var value = optionalBytes(i);
        return value == null ? null : Packed.text(value);
    }

    String text(int i) throws CorruptRecordException {
        return Packed.text(bytes(i));
    }
}
