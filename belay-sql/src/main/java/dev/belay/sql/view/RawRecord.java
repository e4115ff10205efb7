package dev.belay.sql.view;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HexFormat;

/** The record of a job as it stands in the store: a line of text for each column, {@code name = value}. */
final class RawRecord {

    private static final String PAYLOAD = "payload";
    private static final String LARGE_PAYLOAD = "large_payload";

    private RawRecord() {}

    /** Bytes are shown in hexadecimal, but for the payload, which comes last and as it is. */
    static byte[] read(ResultSet row) throws SQLException {
        var out = new ByteArrayOutputStream();
        var columns = row.getMetaData();
        for (var column = 1; column <= columns.getColumnCount(); column++) {
            var value = row.getObject(column);
            if (value != null) {
                var name = columns.getColumnLabel(column);
                out.writeBytes((name + " = ").getBytes(StandardCharsets.UTF_8));
                out.writeBytes(bytes(name, value));
                out.write('\n');
            }
        }
        return out.toByteArray();
    }

    private static byte[] bytes(String name, Object value) {
        if (value instanceof byte[] bytes) {
            return name.equals(PAYLOAD) || name.equals(LARGE_PAYLOAD)
                    ? bytes
                    : HexFormat.of().formatHex(bytes).getBytes(StandardCharsets.US_ASCII);
        }
        return value.toString().getBytes(StandardCharsets.UTF_8);
    }
}
