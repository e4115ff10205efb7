package dev.belay.cli.shell;

import java.util.ArrayList;
import java.util.List;

/** Rows under headings, in columns as wide as their widest cell. */
public final class Table {

    private static final int WIDEST = 60;
    private static final int WIDEST_AT_END = 100;
    private static final String GAP = "  ";

    private final List<Column> columns = new ArrayList<>();
    private final List<List<Console.Piece>> rows = new ArrayList<>();

    private record Column(String title, boolean right) {}

    /** One more column of text. */
    public Table column(String title) {
        columns.add(new Column(title, false));
        return this;
    }

    /** One more column of numbers: to the right. */
    public Table number(String title) {
        columns.add(new Column(title, true));
        return this;
    }

    /** One more row: a cell a column, each a value or a {@link Console.Piece}. */
    public Table row(Object... cells) {
        if (cells.length != columns.size()) {
            throw new IllegalArgumentException(
                    "a row has " + cells.length + " cells, but the table has " + columns.size() + " columns");
        }
        var row = new ArrayList<Console.Piece>();
        for (var cell : cells) {
            var widest = row.size() == columns.size() - 1 ? WIDEST_AT_END : WIDEST;
            var piece = cell instanceof Console.Piece given ? given : Console.styled(Style.PLAIN, String.valueOf(cell));
            row.add(Console.styled(piece.style(), Width.cut(Clean.line(piece.text()), widest)));
        }
        rows.add(row);
        return this;
    }

    public boolean isEmpty() {
        return rows.isEmpty();
    }

    /** Writes it. */
    public void print(Console console) {
        var widths = new int[columns.size()];
        for (var i = 0; i < widths.length; i++) {
            widths[i] = Width.of(columns.get(i).title());
            for (var row : rows) {
                widths[i] = Math.max(widths[i], Width.of(row.get(i).text()));
            }
        }
        var titles = columns.stream()
                .map(column -> Console.styled(Style.DIM, column.title()))
                .toList();
        printRow(console, titles, widths);
        rows.forEach(row -> printRow(console, row, widths));
    }

    private void printRow(Console console, List<Console.Piece> row, int[] widths) {
        var last = widths.length - 1;
        while (last > 0 && row.get(last).text().isEmpty()) {
            last--;
        }
        var pieces = new ArrayList<Object>();
        for (var i = 0; i <= last; i++) {
            var piece = row.get(i);
            var right = columns.get(i).right();
            var text = i == last && !right ? piece.text() : Width.pad(piece.text(), widths[i], right);
            pieces.add(Console.styled(piece.style(), text));
            if (i < last) {
                pieces.add(GAP);
            }
        }
        console.line(pieces.toArray());
    }
}
