package dev.belay.cli.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import tools.jackson.databind.json.JsonMapper;

/** The orders file and the pictures that ship with the project. */
final class Orders {

    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private Orders() {}

    /** So many orders: those of the file, then the same again under other numbers. */
    static List<Order> read(int count) {
        var file = readFile();
        var orders = new ArrayList<Order>(count);
        for (var i = 0; i < count; i++) {
            var order = file.get(i % file.size());
            orders.add(i < file.size() ? order : order.renumbered("-" + (i / file.size() + 1)));
        }
        return orders;
    }

    /** Copies the pictures of some orders to a folder. */
    static void unpackPictures(List<Order> orders, Path folder) {
        try {
            Files.createDirectories(folder);
            var names = new TreeSet<String>();
            orders.forEach(order -> {
                if (order.picture() != null) {
                    names.add(order.picture());
                }
            });
            for (var name : names) {
                try (var in = resource("pictures/" + name)) {
                    Files.write(folder.resolve(name), in.readAllBytes());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the pictures can't be unpacked to " + folder, e);
        }
    }

    private static List<Order> readFile() {
        try (var reader = new BufferedReader(new InputStreamReader(resource("orders.jsonl"), StandardCharsets.UTF_8))) {
            return reader.lines()
                    .filter(line -> !line.isBlank())
                    .map(line -> MAPPER.readValue(line, Order.class))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("the orders that ship with the demo can't be read", e);
        }
    }

    private static InputStream resource(String name) {
        var in = Orders.class.getResourceAsStream(name);
        if (in == null) {
            throw new IllegalStateException("the demo's file " + name + " is missing from this build");
        }
        return in;
    }
}
