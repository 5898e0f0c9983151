package outbox.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.net.InetAddress;
import java.net.http.HttpClient;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import outbox.EventEnvelope;
import outbox.destination.UnavailableException;

class TlsTest {

  private static final String HOST = "receiver.example";

  @TempDir private static Path directory;
  private static SSLContext certified;

  @BeforeAll
  static void makeCertificate() throws Exception {
    certified = Certificates.selfSigned(directory, HOST);
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void aServerThatProvesItsNameIsSentTo(HttpClient.Version version) throws Exception {
    try (Receiver receiver = Receiver.startTls(certified);
        WebhookDestination destination =
            to(receiver.url(HOST)).sslContext(certified).httpVersion(version).build()) {
      EventEnvelope large =
          EventEnvelope.builder("OrderPlaced").payloadBytes(new byte[900_000]).build();

      Sent.delivers(destination);
      assertThat(Sent.of(destination, large).report(large)).isEmpty();

      assertThat(receiver.requests()).hasSize(2);
      assertThat(receiver.requests().get(0).headers())
          .containsEntry("host", HOST + ":" + receiver.port())
          .doesNotContainKey("proxy-authorization");
    }
  }

  @Test
  void aCertificateThatNobodyVouchesForIsRefused() throws Exception {
    try (Receiver receiver = Receiver.startTls(certified);
        WebhookDestination destination = to(receiver.url(HOST)).build()) {
      assertThat(Sent.failure(destination))
          .isInstanceOf(UnavailableException.class)
          .hasMessageContaining("no TLS with https://" + HOST + ":" + receiver.port())
          .hasStackTraceContaining("unable to find valid certification path");
      assertThat(receiver.requests()).isEmpty();
    }
  }

  @Test
  void aCertificateOfAnotherNameIsRefused() throws Exception {
    try (Receiver receiver = Receiver.startTls(certified);
        WebhookDestination destination =
            to(receiver.url("other.example")).sslContext(certified).build()) {
      assertThat(Sent.failure(destination))
          .isInstanceOf(UnavailableException.class)
          .hasStackTraceContaining("other.example");
      assertThat(receiver.requests()).isEmpty();
    }
  }

  /** It reads to the end: one that closes with something unread may take back what it said. */
  @Test
  void aServerWithoutTlsIsRefused() throws Exception {
    try (RawServer server =
            RawServer.running(
                socket -> {
                  RawServer.say(socket, "hello\r\n");
                  socket.getInputStream().readAllBytes();
                });
        WebhookDestination destination =
            to("https://receiver.example:" + server.port() + "/").build()) {
      assertThat(Sent.failure(destination))
          .isInstanceOf(UnavailableException.class)
          .hasMessageContaining("no TLS with");
    }
  }

  @Test
  void aKeptConnectionThatTheServerHasClosedIsNoFailure() throws Exception {
    try (RawServer server =
            RawServer.running(
                certified,
                socket -> {
                  InputStream in = socket.getInputStream();
                  RawServer.readRequest(in);
                  RawServer.say(socket, "HTTP/1.1 204 No Content\r\n\r\n");
                  RawServer.readRequest(in);
                });
        WebhookDestination destination =
            to("https://receiver.example:" + server.port() + "/").sslContext(certified).build()) {
      Sent.delivers(destination);
      Sent.delivers(destination);
      Sent.delivers(destination);

      assertThat(server.connections()).isEqualTo(3);
    }
  }

  @Test
  void connectionsAreKept() throws Exception {
    try (RawServer server =
            RawServer.running(
                certified,
                socket -> {
                  InputStream in = socket.getInputStream();
                  while (true) {
                    RawServer.readRequest(in);
                    RawServer.say(socket, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
                  }
                });
        WebhookDestination destination =
            to("https://receiver.example:" + server.port() + "/").sslContext(certified).build()) {
      for (int i = 0; i < 10; i++) {
        Sent.delivers(destination);
      }

      assertThat(server.connections()).isEqualTo(1);
    }
  }

  private static WebhookBuilder to(String url) {
    return WebhookDestination.builder("receiver")
        .url(url)
        .unsigned()
        .allowPrivateAddresses()
        .resolver(host -> new InetAddress[] {InetAddress.getLoopbackAddress()});
  }
}
