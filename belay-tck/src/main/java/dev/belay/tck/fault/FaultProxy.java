package dev.belay.tck.fault;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A network that can be bad: stands between clients and a server, all on loopback, and passes their bytes on until it is
 * asked to do worse. It knows no protocol: a reply is whatever the server sends in one piece. Thread-safe.
 */
public final class FaultProxy implements AutoCloseable {

    private final ServerSocket listening;
    private final int target;
    private final Set<Pair> pairs = ConcurrentHashMap.newKeySet();
    private volatile Loss loss = new Loss("", 0);
    private volatile long delayMillis;
    private volatile boolean refusing;

    /**
     * Listens at once, on a free port.
     *
     * @param target the port of the server; it need not run yet
     * @throws IOException where no port is free
     */
    public FaultProxy(int target) throws IOException {
        this.target = target;
        listening = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        start("accept", this::accept);
    }

    /** The port that clients use in place of the server's. */
    public int port() {
        return listening.getLocalPort();
    }

    /** Each piece of data, of either side, comes so much later, until {@link #heal}. */
    public void delay(long millis) {
        delayMillis = millis;
    }

    /**
     * The next replies, on whatever connections, reach nobody: what was asked is done, then the connection breaks. 0 to lose no
     * more.
     */
    public void loseReplies(int count) {
        loseReplies("", count);
    }

    /** As {@link #loseReplies(int)}, of those replies that contain this text, one byte a character. */
    public void loseReplies(String containing, int count) {
        loss = new Loss(containing, count);
    }

    /** How many of {@link #loseReplies} are still to come. */
    public int repliesLeftToLose() {
        return loss.left.get();
    }

    /** Breaks all connections with a reset, in the middle of whatever is on its way. New ones work. */
    public void reset() {
        pairs.forEach(Pair::reset);
    }

    /** Existing connections carry nothing any more, for good, and nobody is told; new ones work. */
    public void freeze() {
        pairs.forEach(pair -> pair.frozen = true);
    }

    /** The server can't be reached, until {@link #heal}: connections break, new ones are reset at once. */
    public void cut() {
        refusing = true;
        reset();
    }

    /** Undoes {@link #cut} and {@link #delay}. */
    public void heal() {
        refusing = false;
        delayMillis = 0;
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                pass(listening.accept());
            } catch (IOException e) {
                // This was closed, which ends the loop.
                continue;
            }
        }
    }

    private void pass(Socket client) {
        if (refusing) {
            reset(client);
            return;
        }
        var server = new Socket();
        try {
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target), 2_000);
            new Pair(client, server).start();
        } catch (IOException e) {
            // The server is down: the client finds its connection broken.
            reset(server);
            reset(client);
        }
    }

    private static void reset(Socket socket) {
        try (socket) {
            socket.setSoLinger(true, 0);
        } catch (IOException e) {
            // It was closed by its own side in this moment: as good as reset.
            return;
        }
    }

    private static void start(String name, Runnable task) {
        var thread = new Thread(task, "fault-proxy-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Breaks all connections; nobody can connect any more. */
    @Override
    public void close() throws IOException {
        listening.close();
        reset();
    }

    /** Which replies are lost, and how many of them still. */
    private record Loss(String containing, AtomicInteger left) {

        Loss(String containing, int count) {
            this(containing, new AtomicInteger(count));
        }

        boolean takes(byte[] reply, int length) {
            return left.get() > 0
                    && new String(reply, 0, length, StandardCharsets.ISO_8859_1).contains(containing)
                    && left.getAndUpdate(count -> Math.max(0, count - 1)) > 0;
        }
    }

    private final class Pair {
        private final Socket client;
        private final Socket server;
        private volatile boolean frozen;

        Pair(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        void start() {
            pairs.add(this);
            FaultProxy.start("to", () -> pump(client, server, false));
            FaultProxy.start("from", () -> pump(server, client, true));
        }

        private void pump(Socket from, Socket to, boolean replies) {
            var buffer = new byte[16 * 1024];
            try (from;
                    to) {
                for (var read = from.getInputStream().read(buffer);
                        read >= 0;
                        read = from.getInputStream().read(buffer)) {
                    if (replies && loss.takes(buffer, read)) {
                        reset();
                        return;
                    }
                    if (delayMillis > 0) {
                        Thread.sleep(delayMillis);
                    }
                    if (!frozen) {
                        to.getOutputStream().write(buffer, 0, read);
                    }
                }
            } catch (IOException e) {
                // Broken: the other side finds out by the sockets' end.
                return;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                pairs.remove(this);
            }
        }

        void reset() {
            FaultProxy.reset(client);
            FaultProxy.reset(server);
        }
    }
}
