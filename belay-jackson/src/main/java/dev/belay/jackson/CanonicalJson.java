package dev.belay.jackson;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Writes JSON so that what differs only in formatting comes out the same. Members are written as they come; where an
 * object ends and they were not in order, their bytes are rearranged.
 */
final class CanonicalJson {

    private final Bytes out;
    private final ArrayDeque<Level> levels = new ArrayDeque<>();

    private CanonicalJson(int capacity) {
        out = new Bytes(capacity);
    }

    static byte[] of(byte[] json) {
        var canonical = new CanonicalJson(json.length);
        Scan.walk(json, canonical::on);
        return canonical.out.copy();
    }

    private boolean on(JsonToken token, JsonParser parser) {
        switch (token) {
            case END_OBJECT -> {
                endObject(levels.pop());
                out.write('}');
            }
            case END_ARRAY -> {
                levels.pop();
                out.write(']');
            }
            case PROPERTY_NAME -> name(parser.currentName());
            default -> {
                var level = levels.peek();
                if (level != null && !level.object && level.elements++ > 0) {
                    out.write(',');
                }
                value(token, parser);
            }
        }
        return true;
    }

    private void value(JsonToken token, JsonParser parser) {
        switch (token) {
            case START_OBJECT -> {
                out.write('{');
                levels.push(new Level(true));
            }
            case START_ARRAY -> {
                out.write('[');
                levels.push(new Level(false));
            }
            case VALUE_STRING -> out.jsonString(parser.getString());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> out.ascii(CanonicalNumber.of(parser.getString()));
            default -> out.ascii(parser.getString());
        }
    }

    private void name(String name) {
        var members = levels.element().members;
        if (!members.isEmpty()) {
            out.write(',');
        }
        var start = out.size();
        out.jsonString(name);
        members.add(new Member(start, out.size() - 1));
        out.write(':');
    }

    private void endObject(Level level) {
        var members = level.members;
        for (var i = 0; i < members.size(); i++) {
            members.get(i).end = i + 1 < members.size() ? members.get(i + 1).start - 1 : out.size();
        }
        for (var i = 1; i < members.size(); i++) {
            if (compare(members.get(i - 1), members.get(i)) > 0) {
                sort(members);
                return;
            }
        }
    }

    private void sort(List<Member> members) {
        var from = members.get(0).start;
        members.sort(this::compare);
        var sorted = new byte[out.size() - from];
        var to = 0;
        for (var member : members) {
            if (to > 0) {
                sorted[to++] = ',';
            }
            System.arraycopy(out.array(), member.start, sorted, to, member.end - member.start);
            to += member.end - member.start;
        }
        System.arraycopy(sorted, 0, out.array(), from, sorted.length);
    }

    private int compare(Member a, Member b) {
        return Arrays.compareUnsigned(out.array(), a.start, a.nameEnd, out.array(), b.start, b.nameEnd);
    }

    /** An array or an object that is being written. */
    private static final class Level {
        private final boolean object;
        private final List<Member> members = new ArrayList<>(0);
        private int elements;

        Level(boolean object) {
            this.object = object;
        }
    }

    /** Where a member of an object is written: {@code "name":value}. */
    private static final class Member {
        private final int start;
        private final int nameEnd;
        private int end;

        Member(int start, int nameEnd) {
            this.start = start;
            this.nameEnd = nameEnd;
        }
    }
}
