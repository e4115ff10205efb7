package dev.belay.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.belay.broker.Broker;
import dev.belay.broker.BrokerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code rediss://}: encrypted, and sure of the server it talks to. */
@SuppressWarnings("NullAway.Init") // set before each test
class TlsTest {

    private static final String PASSWORD = "changeit";

    private Path directory;
    private RedisServer server;
    private int port;

    @BeforeEach
    void start() throws Exception {
        directory = Files.createTempDirectory("belay-tls");
        keytool(
                "-genkeypair",
                "-alias",
                "redis",
                "-keyalg",
                "RSA",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=ip:127.0.0.1,dns:localhost",
                "-validity",
                "2",
                "-storetype",
                "PKCS12");
        var keys = KeyStore.getInstance(store().toFile(), PASSWORD.toCharArray());
        var certificate = keys.getCertificate("redis").getEncoded();
        var key = keys.getKey("redis", PASSWORD.toCharArray()).getEncoded();
        var certificateFile = pem("cert.pem", "CERTIFICATE", certificate);
        port = RedisServer.freePort();
        try {
            server = RedisServer.start(
                    "--save",
                    "",
                    "--tls-port",
                    String.valueOf(port),
                    "--tls-cert-file",
                    certificateFile,
                    "--tls-key-file",
                    pem("key.pem", "PRIVATE KEY", key),
                    "--tls-ca-cert-file",
                    certificateFile,
                    "--tls-auth-clients",
                    "no");
        } catch (IllegalStateException e) {
            System.out.println("skipped: this redis-server was built without TLS");
            abort("this redis-server was built without TLS");
        }
    }

    @AfterEach
    void stop() {
        System.clearProperty("javax.net.ssl.trustStore");
        System.clearProperty("javax.net.ssl.trustStorePassword");
        if (server != null) {
            server.close();
        }
    }

    private Path store() {
        return directory.resolve("keys.p12");
    }

    private void keytool(String... arguments) throws Exception {
        var command = new java.util.ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(java.util.List.of(arguments));
        command.addAll(java.util.List.of("-keystore", store().toString(), "-storepass", PASSWORD));
        var process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("keytool.log").toFile())
                .start();
        assertThat(process.waitFor()).isZero();
    }

    private String pem(String name, String kind, byte[] bytes) throws IOException {
        var text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        var file = directory.resolve(name);
        Files.writeString(file, "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
        return file.toString();
    }

    private String address() {
        return "rediss://127.0.0.1:" + port + "/0";
    }

    @Test
    void aServerWhoseCertificateIsTrustedIsTalkedToByTls() {
        System.setProperty("javax.net.ssl.trustStore", store().toString());
        System.setProperty("javax.net.ssl.trustStorePassword", PASSWORD);
        try (var broker = Broker.open(address())) {
            assertThat(broker.settings()).isNotNull();
            assertThat(broker.admin().queues()).isEmpty();
        }
    }

    @Test
    void aServerWhoseCertificateIsNotTrustedIsRefused() {
        assertThatThrownBy(() -> Broker.open(address()))
                .isInstanceOf(BrokerException.NotApplied.class)
                .hasMessageContaining("can't be reached")
                .hasMessageContaining("certif");
    }
}
