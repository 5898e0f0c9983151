package outbox.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.EventEnvelope;
import outbox.destination.UnavailableException;

/** Servers that don't keep to anything. */
class MisbehaviourTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "HTTP/1.1 20",
        "HTTP/1.1 200 OK\r\nContent-Le",
        "this is not HTTP\r\n\r\n",
        "HTTP/1.1 200 OK\r\nno colon\r\n\r\n"
      })
  void halfAnAnswerIsNone(String said) throws Exception {
    try (RawServer server =
            RawServer.running(
                socket -> {
                  RawServer.readRequest(socket.getInputStream());
                  RawServer.say(socket, said);
                });
        WebhookDestination destination = to(server.url()).build()) {
      assertThat(Sent.failure(destination))
          .isInstanceOf(UnavailableException.class)
          .hasMessageContaining("without a complete answer; it may have taken the event");
    }
  }

  @Test
  void aResetIsNoAnswer() throws Exception {
    try (RawServer server =
            RawServer.running(
                socket -> {
                  RawServer.readRequest(socket.getInputStream());
                  socket.setSoLinger(true, 0);
                });
        WebhookDestination destination = to(server.url()).build()) {
      assertThat(Sent.failure(destination)).isInstanceOf(UnavailableException.class);
    }
  }

  @Test
  void aConnectionThatEndsAtOnceIsNoAnswer() throws Exception {
    try (RawServer server = RawServer.running(Socket::close);
        WebhookDestination destination = to(server.url()).build()) {
      assertThat(Sent.failure(destination)).isInstanceOf(UnavailableException.class);
    }
  }

  @Test
  void aWordInTheHeadCountsHoweverTheBodyEnds() throws Exception {
    try (RawServer server =
            RawServer.running(
                socket -> {
                  RawServer.readRequest(socket.getInputStream());
                  RawServer.say(socket, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
                });
        WebhookDestination destination = to(server.url()).build()) {
      Sent.delivers(destination);
    }
  }

  @Test
  void anEndlessBodyIsCutOff() throws Exception {
    try (RawServer server = RawServer.running(MisbehaviourTest::talkForEver);
        WebhookDestination destination = to(server.url()).maxResponseBytes(1000).build()) {
      Sent.delivers(destination);
    }
  }

  @Test
  void aDrippingBodyIsCutOff() throws Exception {
    try (RawServer server = RawServer.running(socket -> drip(socket, "HTTP/1.1 200 OK\r\n\r\n"));
        WebhookDestination destination = to(server.url()).build()) {
      Sent.delivers(destination);
    }
  }

  @Test
  void aDrippingHeadTakesNoLongerThanARequestMay() throws Exception {
    try (RawServer server = RawServer.running(socket -> drip(socket, "HTTP/1.1 200 OK\r\nX: "));
        WebhookDestination destination =
            to(server.url()).requestTimeout(Duration.ofMillis(500)).build()) {
      assertThat(Sent.failure(destination))
          .isInstanceOf(UnavailableException.class)
          .hasMessageContaining("gave no answer within 500 ms");
    }
  }

  @Test
  void aDrippingHeadHoldsNothingWhenItsRequestIsOver() throws Exception {
    try (RawServer server = RawServer.running(socket -> drip(socket, "HTTP/1.1 200 OK\r\nX: "));
        WebhookDestination destination =
            to(server.url()).requestTimeout(Duration.ofMillis(500)).build()) {
      Sent.failure(destination);

      awaitNothingHeldBy(destination);
    }
  }

  @Test
  void aServerThatKeepsItsConnectionHoldsNothingWhenItHasAnswered() throws Exception {
    try (RawServer server = RawServer.saying("HTTP/1.1 204 No Content\r\n\r\n");
        WebhookDestination destination =
            to(server.url()).requestTimeout(Duration.ofMinutes(5)).build()) {
      Sent.delivers(destination);

      awaitNothingHeldBy(destination);
    }
  }

  @Test
  void aServerThatNeverAnswersIsAnOutageHoweverOftenItIsAsked() throws Exception {
    EventEnvelope event = Sent.event();
    try (RawServer server = RawServer.saying("");
        WebhookDestination destination =
            to(server.url()).requestTimeout(Duration.ofMillis(300)).build()) {
      for (int i = 0; i < 4; i++) {
        assertThat(Sent.of(destination, event).failure(event))
            .isInstanceOf(UnavailableException.class);
      }
    }
  }

  @Test
  void interimAnswersAreNotTheAnswer() throws Exception {
    try (RawServer server =
            RawServer.saying(
                "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n");
        WebhookDestination destination = to(server.url()).build()) {
      Sent.delivers(destination);
    }
  }

  @Test
  void anAnswerBeforeTheRequestWasReadCounts() throws Exception {
    EventEnvelope large =
        EventEnvelope.builder("OrderPlaced").payloadBytes(new byte[1_000_000]).build();
    try (RawServer server =
            RawServer.running(
                socket -> {
                  Head.read(socket.getInputStream());
                  RawServer.say(socket, "HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n");
                  socket.shutdownOutput();
                  socket.getInputStream().readAllBytes();
                });
        WebhookDestination destination = to(server.url()).build()) {
      assertThat(Sent.of(destination, large).failure(large)).hasMessageContaining("answered 413");
    }
  }

  @Test
  void twoHostsNeverShareAConnectionEvenIfTheServerKeepsIt() throws Exception {
    String keptOpen = "HTTP/1.1 204 No Content\r\nConnection: keep-alive\r\n\r\n";
    try (RawServer first = RawServer.saying(keptOpen);
        RawServer second = RawServer.saying(keptOpen);
        WebhookDestination destination =
            to(event -> event.eventType().equals("First") ? first.url() : second.url()).build()) {
      for (String type : new String[] {"First", "Second", "First", "Second"}) {
        EventEnvelope event = EventEnvelope.ofJson(type, "{}");
        assertThat(Sent.of(destination, event).report(event)).isEmpty();
      }
      assertThat(first.connections()).isEqualTo(2);
      assertThat(second.connections()).isEqualTo(2);
    }
  }

  @Test
  void aHostThatIsUnknownIsUnavailable() throws Exception {
    try (WebhookDestination destination =
        to("http://nowhere.example/")
            .resolver(
                host -> {
                  throw new UnknownHostException(host);
                })
            .build()) {
      assertThat(Sent.failure(destination))
          .isInstanceOf(UnavailableException.class)
          .hasMessageContaining("the host of http://nowhere.example is unknown to DNS");
    }
  }

  @Test
  void aHostThatRefusesConnectionsIsUnavailable() throws Exception {
    RawServer server = RawServer.saying("");
    server.close();
    try (WebhookDestination destination = to(server.url()).build()) {
      assertThat(Sent.failure(destination))
          .isInstanceOf(UnavailableException.class)
          .hasMessageContaining("http://localhost:" + server.port() + " refused the connection");
    }
  }

  @Test
  void aHostWhoseNameTakesForEverIsUnavailable() throws Exception {
    try (WebhookDestination destination =
        to("http://slow.example/")
            .requestTimeout(Duration.ofMillis(300))
            .resolver(
                host -> {
                  LockSupport.parkNanos(Duration.ofSeconds(3).toNanos());
                  throw new UnknownHostException(host);
                })
            .build()) {
      assertThat(Sent.failure(destination))
          .isInstanceOf(UnavailableException.class)
          .hasMessageContaining("no connection to http://slow.example within 300 ms");
    }
  }

  private static WebhookBuilder to(String url) {
    return WebhookDestination.builder("receiver")
        .url(url)
        .unsigned()
        .allowHttp()
        .allowPrivateAddresses()
        .closeTimeout(Duration.ofSeconds(1));
  }

  private static WebhookBuilder to(Function<EventEnvelope, String> rule) {
    return to("http://unused.example/").url(rule);
  }

  private static void awaitNothingHeldBy(WebhookDestination destination) {
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> destination.gatewaySockets() == 0 && !isRelaying());
  }

  private static boolean isRelaying() {
    return Thread.getAllStackTraces().values().stream()
        .flatMap(Stream::of)
        .anyMatch(frame -> frame.getClassName().equals(Relay.class.getName()));
  }

  private static void talkForEver(Socket socket) throws IOException {
    RawServer.readRequest(socket.getInputStream());
    RawServer.say(socket, "HTTP/1.1 200 OK\r\n\r\n");
    while (true) {
      RawServer.say(socket, "for ever and ever ".repeat(1000));
    }
  }

  private static void drip(Socket socket, String begin) throws IOException {
    RawServer.readRequest(socket.getInputStream());
    RawServer.say(socket, begin);
    while (true) {
      RawServer.say(socket, "x");
      LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
    }
  }
}
