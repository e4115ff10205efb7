package dev.belay.redis.record;

import dev.belay.job.NewJob;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Entries in line: ready time, number, id, size of the payload, what is to be known without the head, version, type. */
public final class Entries {

    private static final int ID_AT = 16;
    private static final int KNOW_AT = 36;

    /** The head has no other flag than the one that says where its payload lies, and no expiry. */
    private static final int USUAL = 1;

    /** The payload does not lie in the head. */
    private static final int APART = 2;

    private Entries() {}

    public static byte[] id(byte[] entry) {
        return Arrays.copyOfRange(entry, ID_AT, ID_AT + 16);
    }

    public static boolean isPayloadApart(byte[] entry) {
        return (entry[KNOW_AT] & APART) != 0;
    }

    /** The end of a plain job's entry, from what is to be known on. */
    static byte[] plainTail(NewJob job) {
        var type = NewRecords.ascii(job.type());
        return ByteBuffer.allocate(5 + type.length)
                .put((byte) (NewRecords.isSmall(job.payload()) ? USUAL : USUAL + APART))
                .putInt(job.payload().schemaVersion())
                .put(type)
                .array();
    }
}
