package dev.belay.failure;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * An exception and its causes, as many as are worth showing.
 *
 * @param shown the first ones and the last ones
 * @param omittedAfter after how many of the shown ones some were left out; −1 where none were
 * @param omitted how many were left out
 * @param end why the chain ends where it does, in words; empty where it simply ends
 */
record Chain(List<Throwable> shown, int omittedAfter, int omitted, String end) {

    private static final int FIRST = 6;
    private static final int LAST = 4;

    /** Longer ones are made up as they are asked for. */
    private static final int LONGEST = 200_000;

    static Chain of(Throwable thrown) {
        var all = new ArrayList<Throwable>();
        var seen = Collections.<Throwable>newSetFromMap(new IdentityHashMap<>());
        var end = "";
        for (Throwable next = thrown; next != null; ) {
            if (!seen.add(next)) {
                end = "circular reference to " + next.getClass().getName();
                break;
            }
            if (all.size() == LONGEST) {
                end = "more than " + LONGEST + " causes";
                break;
            }
            all.add(next);
            try {
                next = next.getCause();
            } catch (Throwable e) {
                end = "its cause can't be read: getCause() threw "
                        + e.getClass().getName();
                break;
            }
        }
        if (all.size() <= FIRST + LAST) {
            return new Chain(all, -1, 0, end);
        }
        var shown = new ArrayList<>(all.subList(0, FIRST));
        shown.addAll(all.subList(all.size() - LAST, all.size()));
        return new Chain(shown, FIRST, all.size() - FIRST - LAST, end);
    }
}
