package outbox.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.NonRetryableException;
import outbox.destination.UnavailableException;

/** Nothing is sent into the network that the sender stands in, unless that is allowed. */
class PrivateAddressesTest {

  private static final String PUBLIC = "127.0.0.1";
  private static final String INTERNAL = "127.0.0.2";
  private static final String REFUSED =
      "nothing was sent to https://intranet.example: intranet.example resolves to 10.1.2.3, which"
          + " is not an address of the public internet; if it is yours, allow it by"
          + " allowAddresses(\"10.1.2.3\"), or all private ones by allowPrivateAddresses()";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost",
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0.0.0.0",
        "0",
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[64:ff9b::7f00:1]"
      })
  void thisMachineIsRefusedHoweverItIsWritten(String host) throws Exception {
    try (Receiver receiver = Receiver.start();
        WebhookDestination destination =
            WebhookDestination.builder("receiver")
                .url(event -> receiver.url(host))
                .unsigned()
                .allowHttp()
                .build()) {
      assertThat(Sent.failure(destination)).isInstanceOf(NonRetryableException.class);
      assertThat(receiver.requests()).isEmpty();
    }
  }

  @Test
  void aUrlOfAnEventsChoiceThatLeadsInsideBuriesItsEventAndSaysWhatToDo() throws Exception {
    try (WebhookDestination destination =
        builder("https://unused.example/", host -> addresses("10.1.2.3"))
            .url(event -> "https://intranet.example/s3cret")
            .build()) {
      assertThat(Sent.failure(destination))
          .isInstanceOf(NonRetryableException.class)
          .hasMessageContaining(REFUSED)
          .hasMessageNotContaining("s3cret");
    }
  }

  @Test
  void theOneUrlOfADestinationThatLeadsInsideIsAnOutageAndSaysWhatToDo() throws Exception {
    try (WebhookDestination destination =
        builder("https://intranet.example/s3cret", host -> addresses("10.1.2.3")).build()) {
      assertThat(Sent.failure(destination))
          .isInstanceOf(UnavailableException.class)
          .hasMessageContaining(REFUSED)
          .hasMessageNotContaining("s3cret");
    }
  }

  @Test
  void theOneUrlOfADestinationIsUsedAgainWhenItsNameLeadsOutsideAgain() throws Exception {
    try (Receiver outside = Receiver.start(PUBLIC, 0)) {
      AtomicReference<String> resolved = new AtomicReference<>("10.1.2.3");
      try (WebhookDestination destination =
          builder(outside.url("partner.example"), host -> addresses(resolved.get())).build()) {
        assertThat(Sent.failure(destination)).isInstanceOf(UnavailableException.class);
        resolved.set(PUBLIC);

        await()
            .atMost(Duration.ofMinutes(1))
            .untilAsserted(() -> Sent.delivers(destination)); // nothing waits for long if guarded
      }
    }
  }

  @Test
  void theAddressThatWasCheckedIsTheOneConnectedTo() throws Exception {
    try (Receiver outside = Receiver.start(PUBLIC, 0);
        Receiver inside = Receiver.start(INTERNAL, outside.port())) {
      List<String> asked = new CopyOnWriteArrayList<>();
      Resolver rebinding =
          host -> {
            asked.add(host);
            return addresses(asked.size() == 1 ? PUBLIC : INTERNAL);
          };
      try (WebhookDestination destination =
          builder(outside.url("attacker.example"), rebinding).build()) {
        Sent.delivers(destination);
        assertThat(asked).as("asked once for one connection").hasSize(1);

        assertThat(Sent.failure(destination)).isInstanceOf(UnavailableException.class);
      }
      assertThat(outside.requests()).hasSize(1);
      assertThat(inside.requests()).isEmpty();
    }
  }

  @Test
  void ofSeveralAddressesOnlyThoseThatAreAllowedAreUsed() throws Exception {
    try (Receiver outside = Receiver.start(PUBLIC, 0);
        Receiver inside = Receiver.start(INTERNAL, outside.port());
        WebhookDestination destination =
            builder(outside.url("attacker.example"), host -> addresses(INTERNAL, PUBLIC)).build()) {
      Sent.delivers(destination);

      assertThat(outside.requests()).hasSize(1);
      assertThat(inside.requests()).isEmpty();
    }
  }

  @Test
  void anAddressThatDoesNotAnswerIsPassedOver() throws Exception {
    try (Receiver receiver = Receiver.start(INTERNAL, 0);
        WebhookDestination destination =
            builder(receiver.url("both.example"), host -> addresses(PUBLIC, INTERNAL))
                .allowAddresses(INTERNAL)
                .build()) {
      Sent.delivers(destination);
    }
  }

  @Test
  void theGatewayServesNobodyElse() throws Exception {
    try (Receiver receiver = Receiver.start();
        WebhookDestination destination =
            builder(receiver.url(), host -> addresses(PUBLIC)).build()) {
      Sent.delivers(destination);
      int port = destination.gatewayPort();

      assertThat(told(port, "CONNECT localhost:" + receiver.port() + " HTTP/1.1\r\n\r\n"))
          .isEmpty();
      assertThat(
              told(
                  port,
                  "GET http://localhost:"
                      + receiver.port()
                      + "/ HTTP/1.1\r\n"
                      + "Proxy-Authorization: Outbox 00-1\r\n\r\n"))
          .isEmpty();
      assertThat(receiver.requests()).hasSize(1);
    }
  }

  private static String told(int port, String request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  /** One address of this machine stands for the internet, the others for what is behind it. */
  private static WebhookBuilder builder(String url, Resolver resolver) {
    return WebhookDestination.builder("receiver")
        .url(url)
        .unsigned()
        .allowHttp()
        .allowAddresses(PUBLIC)
        .resolver(resolver);
  }

  private static InetAddress[] addresses(String... addresses) throws UnknownHostException {
    List<InetAddress> all = new ArrayList<>();
    for (String address : addresses) {
      all.add(InetAddress.getByName(address));
    }
    return all.toArray(new InetAddress[0]);
  }
}
