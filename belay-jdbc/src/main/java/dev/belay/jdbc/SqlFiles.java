package dev.belay.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * SQL statements from resource files, one a file. Each begins with a header, a comment that says what goes in, what
 * comes out, which locks it takes, and what it keeps true; one that lacks a part is refused. {@code {{name}}} stands for
 * the text of another file, a fragment that several statements share. Where a database takes them so, a file may hold several
 * statements, divided by semicolons. Thread-safe.
 */
public final class SqlFiles {

    /** What each header must tell, as the beginnings of its lines. */
    private static final String[] HEADER = {"-- in:", "-- out:", "-- locks:", "-- keeps:"};

    private static final Pattern FRAGMENT = Pattern.compile("\\{\\{([a-z0-9-]+)}}");

    private final Class<?> owner;
    private final String folder;
    private final @Nullable String dialect;
    private final UnaryOperator<String> edit;
    private final Map<String, SqlText> loaded = new ConcurrentHashMap<>();
    private final Map<String, String> together = new ConcurrentHashMap<>();

    /**
     * @param owner a class of the module that holds the files
     * @param folder of the files, relative to the owner's package, without a slash at its end
     */
    public SqlFiles(Class<?> owner, String folder) {
        this(owner, folder, null);
    }

    /**
     * As {@link #SqlFiles(Class, String)}, for one of several databases that share most of their statements.
     *
     * @param dialect a folder within {@code folder}, for what is this database's own: a file there is taken in place of one of
     *     the same name; null for none
     */
    public SqlFiles(Class<?> owner, String folder, @Nullable String dialect) {
        this(owner, folder, dialect, UnaryOperator.identity());
    }

    private SqlFiles(Class<?> owner, String folder, @Nullable String dialect, UnaryOperator<String> edit) {
        this.owner = owner;
        this.folder = folder;
        this.dialect = dialect;
        this.edit = edit;
    }

    /** The same files, each with its text changed so: for a name in them that the user chooses. */
    public SqlFiles edited(UnaryOperator<String> change) {
        return new SqlFiles(owner, folder, dialect, change);
    }

    /**
     * The statement of {@code name.sql}, read once.
     *
     * @throws IllegalStateException where there is no such file, or its header lacks a part
     */
    public SqlText statement(String name) {
        return loaded.computeIfAbsent(name, this::load);
    }

    /** Several statements as one text, divided by semicolons; put together once. */
    String together(String key, Supplier<List<SqlText>> statements) {
        return together.computeIfAbsent(
                key, any -> statements.get().stream().map(SqlText::jdbc).collect(Collectors.joining(";\n")));
    }

    /** The text of a file, as it stands. */
    public String text(String name) {
        var path = folder + "/" + name + ".sql";
        try (InputStream in = open(name, path)) {
            if (in == null) {
                throw new IllegalStateException("there is no SQL file " + path + " beside " + owner.getName());
            }
            return edit.apply(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("the SQL file " + path + " can't be read", e);
        }
    }

    private @Nullable InputStream open(String name, String path) {
        var own = dialect == null ? null : owner.getResourceAsStream(folder + "/" + dialect + "/" + name + ".sql");
        return own == null ? owner.getResourceAsStream(path) : own;
    }

    private SqlText load(String name) {
        var text = text(name);
        for (var part : HEADER) {
            if (!text.contains(part)) {
                throw new IllegalStateException("the header of SQL file " + name + ".sql lacks '" + part + "'");
            }
        }
        return SqlText.parse(name, withFragments(text));
    }

    private String withFragments(String text) {
        var whole = new StringBuilder();
        var matcher = FRAGMENT.matcher(text);
        while (matcher.find()) {
            matcher.appendReplacement(
                    whole,
                    Matcher.quoteReplacement(
                            withFragments(text(matcher.group(1)).strip())));
        }
        return matcher.appendTail(whole).toString();
    }
}
