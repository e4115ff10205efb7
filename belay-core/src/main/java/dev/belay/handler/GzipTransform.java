package dev.belay.handler;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Compression: {@code gzip}. */
public final class GzipTransform implements PayloadTransform {

    @Override
    public String name() {
        return "gzip";
    }

    @Override
    public byte[] apply(byte[] bytes) {
        var out = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException("a write to memory failed", e);
        }
        return out.toByteArray();
    }

    @Override
    public byte[] revert(byte[] bytes, int maxBytes) throws UndecodableException {
        try (var gzip = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            var result = gzip.readNBytes(maxBytes + 1);
            if (result.length > maxBytes) {
                throw new UndecodableException("more than " + maxBytes + " bytes came out of gzip");
            }
            return result;
        } catch (IOException e) {
            throw new UndecodableException("not gzip: " + e.getMessage(), e);
        }
    }
}
