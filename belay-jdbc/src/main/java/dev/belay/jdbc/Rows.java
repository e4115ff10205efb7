package dev.belay.jdbc;

import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Columns that JDBC makes awkward. */
public final class Rows {

    private Rows() {}

    /** A whole number, or null. */
    public static @Nullable Long optionalLong(ResultSet row, int column) throws SQLException {
        var value = row.getLong(column);
        return value == 0 && row.wasNull() ? null : value;
    }

    /** A whole number, or null. */
    public static @Nullable Integer optionalInt(ResultSet row, int column) throws SQLException {
        var value = row.getInt(column);
        return value == 0 && row.wasNull() ? null : value;
    }

    /** The 16 bytes of a UUID. */
    public static byte[] bytes(UUID value) {
        var bytes = new byte[16];
        ByteBuffer.wrap(bytes).putLong(value.getMostSignificantBits()).putLong(value.getLeastSignificantBits());
        return bytes;
    }

    /** @throws IllegalArgumentException for anything but 16 bytes */
    public static UUID uuid(byte[] bytes) {
        if (bytes.length != 16) {
            throw new IllegalArgumentException("a UUID has 16 bytes, but these are " + bytes.length);
        }
        var buffer = ByteBuffer.wrap(bytes);
        return new UUID(buffer.getLong(), buffer.getLong());
    }
}
