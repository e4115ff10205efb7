package dev.belay.tck.model;

/** Where two long texts part: a view of a whole store has thousands of characters, of which a few matter. */
final class Difference {

    private static final int BEFORE = 300;
    private static final int AFTER = 700;

    private Difference() {}

    static String between(String ours, String theirs) {
        var shorter = Math.min(ours.length(), theirs.length());
        var same = 0;
        while (same < shorter && ours.charAt(same) == theirs.charAt(same)) {
            same++;
        }
        return "  broker under test: " + around(ours, same) + "\n  reference broker:  " + around(theirs, same);
    }

    /** The text from a little before the place at which the two part. */
    private static String around(String text, int place) {
        var from = Math.max(0, place - BEFORE);
        var to = Math.min(text.length(), place + AFTER);
        return (from > 0 ? "… " : "")
                + text.substring(from, place)
                + " >>> "
                + text.substring(place, to)
                + (to < text.length() ? " …" : "");
    }
}
