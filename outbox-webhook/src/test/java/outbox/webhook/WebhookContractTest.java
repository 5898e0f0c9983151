package outbox.webhook;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import outbox.destination.Destination;
import outbox.destination.MessageHeaders;
import outbox.destination.testing.DestinationContract;
import outbox.destination.testing.DestinationFixture;
import outbox.destination.testing.Received;

class WebhookContractTest extends DestinationContract {

  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  @Override
  protected DestinationFixture start() throws Exception {
    return new WebhookFixture();
  }

  private static final class WebhookFixture implements DestinationFixture {

    private static final int LARGEST = 100_000;

    private final int port;
    private final List<Received> receivedBefore = new ArrayList<>();
    private Receiver receiver;

    WebhookFixture() throws IOException {
      try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        port = free.getLocalPort();
      }
      startBroker();
    }

    @Override
    public Destination open() {
      return WebhookDestination.builder("receiver")
          .url("http://localhost:" + port + "/s3cret-path?token=s3cret-query")
          .signedBy(SECRET)
          .header("Authorization", "Bearer s3cret-token")
          .allowHttp()
          .allowPrivateAddresses()
          .maxWait(Duration.ofMinutes(1))
          .closeTimeout(Duration.ofMinutes(1))
          .build();
    }

    @Override
    public synchronized List<Received> received() {
      List<Received> all = new ArrayList<>(receivedBefore);
      if (receiver != null) {
        all.addAll(receivedNow());
      }
      return all;
    }

    @Override
    public synchronized void stopBroker() {
      receiver.close();
      receivedBefore.addAll(receivedNow());
      receiver = null;
    }

    @Override
    public synchronized void startBroker() throws IOException {
      if (receiver == null) {
        receiver = Receiver.start(InetAddress.getLoopbackAddress().getHostAddress(), port);
        receiver.answering(
            request -> Receiver.Answer.of(request.body().length > LARGEST ? 413 : 204));
      }
    }

    @Override
    public int tooLarge() {
      return LARGEST + 1;
    }

    @Override
    public Set<String> secrets() {
      return Set.of(SECRET, SECRET.substring(6), "s3cret-path", "s3cret-query", "s3cret-token");
    }

    @Override
    public synchronized void close() {
      if (receiver != null) {
        receiver.close();
      }
    }

    private List<Received> receivedNow() {
      return receiver.requests().stream().map(WebhookFixture::received).toList();
    }

    private static Received received(Receiver.Request request) {
      Map<String, String> headers = new HashMap<>();
      request.headers().forEach((name, value) -> headers.put(name.toLowerCase(Locale.ROOT), value));
      return new Received(
          headers.get(MessageHeaders.AGGREGATE_ID),
          request.body(),
          headers.get("content-type"),
          headers);
    }
  }
}
