package outbox.samples.webhook;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.SignatureException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import outbox.webhook.WebhookSignature;

/** The receiver: believes what is signed, and takes each event once however often it comes. */
final class Partner implements AutoCloseable {

  private final int port;
  private final Map<String, String> orders = new ConcurrentHashMap<>();
  private final AtomicInteger repetitions = new AtomicInteger();
  private final AtomicInteger busyAnswers = new AtomicInteger();
  private volatile WebhookSignature signature;
  private HttpServer server;
  private volatile boolean losesItsAnswer;

  Partner(String key) throws IOException {
    signature = WebhookSignature.of(key);
    server = listenOn(0);
    port = server.getAddress().getPort();
  }

  private HttpServer listenOn(int port) throws IOException {
    HttpServer listening =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    listening.createContext("/webhooks", this::handle);
    listening.start();
    return listening;
  }

  void goesAway() {
    server.stop(0);
  }

  void comesBack() throws IOException {
    server = listenOn(port);
  }

  String url() {
    return "http://localhost:" + port + "/webhooks";
  }

  /** The bodies by the ids of their events. */
  Map<String, String> orders() {
    return orders;
  }

  int repetitions() {
    return repetitions.get();
  }

  void key(String key) {
    signature = WebhookSignature.of(key);
  }

  /** Answers the next requests with "too many". */
  void isBusyFor(int requests) {
    busyAnswers.set(requests);
  }

  int busyAnswersLeft() {
    return busyAnswers.get();
  }

  /** Takes the next request, and says so to nobody. */
  void losesItsNextAnswer() {
    losesItsAnswer = true;
  }

  @Override
  public void close() {
    server.stop(0);
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      int status = status(exchange, body);
      if (losesItsAnswer && status == 204) {
        losesItsAnswer = false;
        return;
      }
      exchange.sendResponseHeaders(status, -1);
    }
  }

  private int status(HttpExchange exchange, byte[] body) {
    if (busyAnswers.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      exchange.getResponseHeaders().set("Retry-After", "1");
      return 429;
    }
    return receive(exchange, body);
  }

  // docs:begin receiver
  private int receive(HttpExchange exchange, byte[] body) {
    try {
      signature.verify(exchange.getRequestHeaders()::getFirst, body);
    } catch (SignatureException untrusted) {
      return 401;
    }
    String eventId = exchange.getRequestHeaders().getFirst(WebhookSignature.ID);
    String order = new String(body, StandardCharsets.UTF_8);
    if (orders.putIfAbsent(eventId, order) != null) {
      repetitions.incrementAndGet(); // taken before: say so again, and do nothing
    }
    return 204;
  }
  // docs:end receiver
}
