package outbox.webhook;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A proxy inside this process, and the only way out for its HTTP client: the client never resolves
 * a name, the gateway does, by a {@link Connector}. What is encrypted passes through untouched, so
 * that certificates are checked against the host's name by the client itself.
 *
 * <p>Listens on the loopback address, and serves only those who show a ticket that it gave.
 */
final class Gateway implements AutoCloseable {

  static final String TICKET_HEADER = "Proxy-Authorization";

  /** The client's own half of an exchange comes over the loopback interface, at once. */
  private static final Duration PATIENCE_FOR_CLIENT = Duration.ofSeconds(10);

  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(10);

  private static final byte[] CONNECTED = ascii("HTTP/1.1 200 Connected\r\n\r\n");
  private static final byte[] NOT_CONNECTED =
      ascii("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");

  private final ServerSocket server;
  private final Connector connector;
  private final Executor threads;
  private final Duration longestIdle;
  private final String secret = secret();
  private final AtomicLong numbers = new AtomicLong();
  private final Map<String, Passage> passages = new ConcurrentHashMap<>();
  private final OpenSockets sockets = new OpenSockets();

  Gateway(Connector connector, Executor threads, Duration longestIdle) {
    this.connector = connector;
    this.threads = threads;
    this.longestIdle = longestIdle;
    try {
      server = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    } catch (IOException unable) {
      throw new UncheckedIOException("no port of the loopback address could be opened", unable);
    }
    threads.execute(this::accept);
  }

  ProxySelector selector() {
    return ProxySelector.of(new InetSocketAddress(server.getInetAddress(), port()));
  }

  int port() {
    return server.getLocalPort();
  }

  Passage open() {
    Passage passage = new Passage("Outbox " + secret + '-' + numbers.incrementAndGet());
    passages.put(passage.ticket(), passage);
    return passage;
  }

  /** The request is over, and nothing is left of it but tunnels, which may serve others. */
  void end(Passage passage) {
    passages.remove(passage.ticket());
    passage.end();
  }

  int openSockets() {
    return sockets.size();
  }

  /** Breaks every connection that is left. */
  @Override
  public void close() {
    OpenSockets.close(server);
    sockets.closeAll();
  }

  /** Goes on through want of sockets or threads, which passes. */
  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket client = server.accept();
        sockets.add(client);
        serveElsewhere(client);
      } catch (IOException e) {
        LockSupport.parkNanos(PAUSE_AFTER_FAILURE.toNanos());
      }
    }
  }

  private void serveElsewhere(Socket client) {
    try {
      threads.execute(() -> serve(client));
    } catch (RejectedExecutionException | OutOfMemoryError e) { // of threads, too
      OpenSockets.close(client);
      sockets.remove(client);
    }
  }

  private void serve(Socket client) {
    try (client) {
      client.setTcpNoDelay(true);
      client.setSoTimeout((int) PATIENCE_FOR_CLIENT.toMillis());
      InputStream in = new BufferedInputStream(client.getInputStream());
      Head request = Head.read(in);
      Passage passage = passageOf(request);
      if (passage != null) {
        pass(client, in, request, passage);
      }
    } catch (IOException | RuntimeException broken) {
      // The client, on the other end, sees that and tells it.
    } finally {
      sockets.remove(client);
    }
  }

  private @Nullable Passage passageOf(Head request) {
    String ticket = request.value(TICKET_HEADER);
    return ticket == null ? null : passages.get(ticket);
  }

  private void pass(Socket client, InputStream in, Head request, Passage passage)
      throws IOException {
    passage.connecting();
    Target target = Target.of(request);
    try (Socket server = connect(target, passage)) {
      sockets.add(server);
      try {
        prepare(client);
        prepare(server);
        Relay relay = new Relay(client, in, server, threads);
        if (target.isTunnel()) {
          client.getOutputStream().write(CONNECTED);
          relay.everything();
        } else {
          passage.uses(client);
          passage.uses(server);
          relay.oneExchange(request, target.startLine());
        }
      } finally {
        sockets.remove(server);
      }
    } catch (NotConnectedException told) {
      client.getOutputStream().write(NOT_CONNECTED);
    }
  }

  private Socket connect(Target target, Passage passage) throws NotConnectedException {
    try {
      Socket connected = connector.connect(target.host(), target.port());
      passage.connected();
      return connected;
    } catch (IOException failure) {
      passage.failed(failure);
      throw new NotConnectedException(failure);
    }
  }

  private void prepare(Socket socket) throws IOException {
    socket.setTcpNoDelay(true);
    socket.setSoTimeout((int) Math.min(Integer.MAX_VALUE, longestIdle.toMillis()));
  }

  private static String secret() {
    byte[] bytes = new byte[16];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Where a request wants to go: {@code CONNECT host:port}, or {@code POST http://host/path}. */
  private record Target(String host, int port, @Nullable String startLineOrNull) {

    static Target of(Head request) throws IOException {
      String[] parts = request.start().split(" ", -1);
      if (parts.length != 3) {
        throw new IOException("not a request");
      }
      return parts[0].equals("CONNECT") ? tunnel(parts[1]) : plain(parts);
    }

    boolean isTunnel() {
      return startLineOrNull == null;
    }

    String startLine() {
      return Objects.requireNonNull(startLineOrNull);
    }

    private static Target tunnel(String authority) {
      int colon = authority.lastIndexOf(':');
      return new Target(
          bare(authority.substring(0, colon)),
          Integer.parseInt(authority.substring(colon + 1)),
          null);
    }

    private static Target plain(String[] parts) {
      URI url = URI.create(parts[1]);
      String path = url.getRawPath().isEmpty() ? "/" : url.getRawPath();
      String query = url.getRawQuery() == null ? "" : '?' + url.getRawQuery();
      return new Target(
          bare(url.getHost()),
          url.getPort() < 0 ? 80 : url.getPort(),
          parts[0] + ' ' + path + query + " HTTP/1.1");
    }

    private static String bare(String host) {
      return host.startsWith("[") && host.endsWith("]")
          ? host.substring(1, host.length() - 1)
          : host;
    }
  }

  private static final class NotConnectedException extends IOException {

    private static final long serialVersionUID = 1L;

    NotConnectedException(IOException cause) {
      super(cause);
    }
  }
}
