package dev.belay.postgres;

import dev.belay.job.Addresses;
import dev.belay.job.InvalidInputException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Where a server is, by an address as PostgreSQL's own tools take it: {@code
 * postgresql://user:password@host:port/database?parameter=value}. Parameters are those of the JDBC driver, and {@code
 * belaySchema}, the schema of the store.
 *
 * @param jdbc the driver's URL, without user and password
 * @param user null for the driver's default
 * @param password null where none is needed
 * @param schema null where the address names none
 */
public record PostgresAddress(
        String jdbc,
        @Nullable String user,
        @Nullable String password,
        @Nullable String schema) {

    static final String SCHEME = "postgresql";

    private static final String PREFIX = SCHEME + "://";
    private static final String SCHEMA = "belaySchema=";

    /** The driver's settings where the address says nothing: in seconds, but for those that are none. */
    private static final String[][] DRIVER = {
        {"ApplicationName", "belay"},
        {"reWriteBatchedInserts", "true"},
        {"tcpKeepAlive", "true"},
        {"connectTimeout", "5"},
        {"loginTimeout", "5"},
        // A server that answers nothing: no call of a broker takes as long.
        {"socketTimeout", "30"},
    };

    /** @throws InvalidInputException where the address makes no sense */
    public static PostgresAddress parse(String address) {
        if (!address.startsWith(PREFIX)) {
            throw refused(address);
        }
        var rest = address.substring(PREFIX.length());
        var query = rest.indexOf('?');
        var parameters = query < 0 ? "" : rest.substring(query + 1);
        var place = query < 0 ? rest : rest.substring(0, query);
        var slash = place.indexOf('/');
        var at = place.substring(0, slash < 0 ? place.length() : slash).lastIndexOf('@');
        var hosts = place.substring(at + 1, slash < 0 ? place.length() : slash);
        var database = slash < 0 ? "" : place.substring(slash + 1);
        var userInfo = at < 0 ? null : place.substring(0, at);
        if (hosts.isEmpty() && database.isEmpty()) {
            throw refused(address);
        }
        var kept = new ArrayList<String>();
        String schema = null;
        for (var parameter : parameters.split("&")) {
            if (parameter.startsWith(SCHEMA)) {
                schema = decoded(parameter.substring(SCHEMA.length()), address);
            } else if (!parameter.isEmpty()) {
                kept.add(parameter);
            }
        }
        var colon = userInfo == null ? -1 : userInfo.indexOf(':');
        return new PostgresAddress(
                "jdbc:" + PREFIX + hosts + "/" + database + (kept.isEmpty() ? "" : "?" + String.join("&", kept)),
                userInfo == null ? null : decoded(colon < 0 ? userInfo : userInfo.substring(0, colon), address),
                userInfo == null || colon < 0 ? null : decoded(userInfo.substring(colon + 1), address),
                schema);
    }

    private static String decoded(String text, String address) {
        try {
            // A plus stands for itself in this part of an address.
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw refused(address);
        }
    }

    private static InvalidInputException refused(String address) {
        return new InvalidInputException(
                "address",
                "must be as in postgresql://user:password@localhost:5432/shop, with special characters of user and"
                        + " password written as %40, but is '" + Addresses.withoutSecrets(address) + "'");
    }

    /** A connection of its own, which the caller closes. */
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(jdbc, properties());
    }

    /** User, password and settings, as the driver takes them. */
    Properties properties() {
        var properties = new Properties();
        if (user != null) {
            properties.setProperty("user", user);
        }
        if (password != null) {
            properties.setProperty("password", password);
        }
        for (var setting : DRIVER) {
            // What the address says counts.
            if (!jdbc.contains(setting[0] + "=")) {
                properties.setProperty(setting[0], setting[1]);
            }
        }
        return properties;
    }

    /** Without secrets. */
    @Override
    public String toString() {
        return Addresses.withoutSecrets(jdbc);
    }
}
