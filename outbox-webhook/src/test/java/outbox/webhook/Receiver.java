package outbox.webhook;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import javax.net.ssl.SSLContext;

/** A real HTTP server on this machine, which keeps what it was sent. */
final class Receiver implements AutoCloseable {

  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpServer server;
  private final String scheme;
  private volatile Function<Request, Answer> answers = request -> Answer.of(204);

  private Receiver(HttpServer server, String scheme) {
    this.server = server;
    this.scheme = scheme;
    server.createContext("/", this::handle);
    server.setExecutor(threads);
    server.start();
  }

  static Receiver start() throws IOException {
    return start(InetAddress.getLoopbackAddress().getHostAddress(), 0);
  }

  static Receiver start(String address, int port) throws IOException {
    return new Receiver(HttpServer.create(new InetSocketAddress(address, port), 0), "http");
  }

  static Receiver startTls(SSLContext context) throws IOException {
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    return new Receiver(server, "https");
  }

  Receiver answering(Function<Request, Answer> answers) {
    this.answers = answers;
    return this;
  }

  Receiver answering(int status) {
    return answering(request -> Answer.of(status));
  }

  String url() {
    return url("localhost");
  }

  String url(String host) {
    return "%s://%s:%d/hooks/s3cret-path?token=s3cret-query".formatted(scheme, host, port());
  }

  int port() {
    return server.getAddress().getPort();
  }

  List<Request> requests() {
    return requests;
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
      exchange.getRequestHeaders().forEach((name, values) -> headers.put(name, values.get(0)));
      byte[] body = exchange.getRequestBody().readAllBytes();
      Request request =
          new Request(
              exchange.getRequestMethod(), exchange.getRequestURI().toString(), headers, body);
      Answer answer = answers.apply(request);
      requests.add(request);
      answer.headers().forEach(exchange.getResponseHeaders()::add);
      exchange.sendResponseHeaders(answer.status(), -1);
    }
  }

  @SuppressWarnings("ArrayRecordComponent")
  record Request(String method, String uri, Map<String, String> headers, byte[] body) {

    String header(String name) {
      return headers.get(name);
    }

    String eventId() {
      return header(WebhookSignature.ID);
    }
  }

  record Answer(int status, Map<String, String> headers) {

    static Answer of(int status) {
      return new Answer(status, Map.of());
    }

    static Answer of(int status, String header, String value) {
      return new Answer(status, Map.of(header, value));
    }
  }
}
