import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Draws what a command printed as an SVG picture of a terminal: {@code ./belay demo | java docs/tools/TerminalToSvg.java
 * "./belay demo" > docs/demo.svg}. Understands bold, dim and the eight colours; a line that was rewritten with a carriage
 * return shows its last state.
 */
final class TerminalToSvg {

    private static final double CHARACTER = 8.43;
    private static final int LINE = 19;
    private static final int MARGIN = 20;
    private static final int TITLE = 34;
    private static final Pattern STYLE = Pattern.compile("\u001b\\[([0-9;]*)m");
    private static final Pattern OTHER_CONTROL = Pattern.compile("\u001b\\[[0-9;?]*[A-HJKSTfhilnsu]");
    private static final String[] COLOURS = {
        "#5c6370", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#dcdfe4"
    };

    public static void main(String[] arguments) throws IOException {
        var lines = new ArrayList<String>();
        lines.add("\u001b[1m$ " + String.join(" ", arguments) + "\u001b[0m");
        for (var line : new String(System.in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
            var text = OTHER_CONTROL.matcher(line.stripTrailing()).replaceAll("");
            lines.add(text.substring(text.lastIndexOf('\r') + 1));
        }
        System.out.print(svg(lines));
    }

    private static String svg(List<String> lines) {
        var columns = lines.stream()
                .mapToInt(line -> STYLE.matcher(line).replaceAll("").length())
                .max()
                .orElse(80);
        var width = (int) (columns * CHARACTER) + 2 * MARGIN;
        var height = lines.size() * LINE + 2 * MARGIN + TITLE;
        var svg = new StringBuilder(
                """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img">
                <rect width="100%%" height="100%%" rx="10" fill="#1e2127"/>
                <circle cx="20" cy="18" r="6" fill="#e06c75"/><circle cx="40" cy="18" r="6" fill="#e5c07b"/>\
                <circle cx="60" cy="18" r="6" fill="#98c379"/>
                <g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="14" fill="#dcdfe4">
                """
                        .formatted(width, height, width, height));
        var y = TITLE + MARGIN;
        for (var line : lines) {
            svg.append("<text x=\"%d\" y=\"%d\" xml:space=\"preserve\">".formatted(MARGIN, y));
            appendStyled(svg, line);
            svg.append("</text>\n");
            y += LINE;
        }
        return svg.append("</g>\n</svg>\n").toString();
    }

    private static void appendStyled(StringBuilder svg, String line) {
        var styles = STYLE.matcher(line);
        var from = 0;
        var attributes = "";
        while (styles.find()) {
            appendSpan(svg, line.substring(from, styles.start()), attributes);
            attributes = changed(attributes, styles.group(1));
            from = styles.end();
        }
        appendSpan(svg, line.substring(from), attributes);
    }

    private static String changed(String attributes, String codes) {
        for (var code : codes.split(";")) {
            var number = code.isEmpty() ? 0 : Integer.parseInt(code);
            if (number == 0 || number == 39) {
                attributes = "";
            } else if (number == 1) {
                attributes += " font-weight=\"bold\"";
            } else if (number == 2) {
                attributes += " fill-opacity=\"0.6\"";
            } else if ((number >= 30 && number <= 37) || (number >= 90 && number <= 97)) {
                attributes = attributes.replaceAll(" fill=\"[^\"]*\"", "") + " fill=\"" + COLOURS[number % 10] + "\"";
            }
        }
        return attributes;
    }

    private static void appendSpan(StringBuilder svg, String text, String attributes) {
        if (!text.isEmpty()) {
            var escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
            svg.append("<tspan").append(attributes).append('>').append(escaped).append("</tspan>");
        }
    }
}
