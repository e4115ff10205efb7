package dev.belay.redis.fault;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A network that can be bad: stands between a client and a server on loopback. Thread-safe. */
final class FaultProxy implements AutoCloseable {

    private final ServerSocket listening;
    private final int target;
    private final Set<Pair> pairs = ConcurrentHashMap.newKeySet();
    private final AtomicInteger repliesToLose = new AtomicInteger();
    private volatile long delayMillis;
    private volatile boolean refusing;

    FaultProxy(int target) throws IOException {
        this.target = target;
        listening = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        start("accept", this::accept);
    }

    String address() {
        return "redis://127.0.0.1:" + listening.getLocalPort() + "/0";
    }

    /** Each piece of data comes so much later. */
    void delay(long millis) {
        delayMillis = millis;
    }

    /** The next replies reach nobody: what was asked is done, then the connection breaks. */
    void loseReplies(int count) {
        repliesToLose.set(count);
    }

    int repliesLeftToLose() {
        return repliesToLose.get();
    }

    /** Breaks all connections with a reset, in the middle of whatever is on its way. */
    void reset() {
        pairs.forEach(Pair::reset);
    }

    /** Existing connections answer nothing any more, and nobody is told; new ones work. */
    void freeze() {
        pairs.forEach(pair -> pair.frozen = true);
    }

    /** The server can't be reached: connections break, new ones are closed at once. */
    void cut() {
        refusing = true;
        reset();
    }

    void heal() {
        refusing = false;
        delayMillis = 0;
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                var client = listening.accept();
                if (refusing) {
                    reset(client);
                    continue;
                }
                client.setTcpNoDelay(true);
                var server = new Socket();
                server.setTcpNoDelay(true);
                server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target), 2_000);
                new Pair(client, server).start();
            } catch (IOException e) {
                // The server is down, or this was closed: the client finds its connection broken.
                continue;
            }
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

    @Override
    public void close() throws IOException {
        listening.close();
        reset();
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
                    if (replies && repliesToLose.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
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
