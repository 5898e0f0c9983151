package outbox.faults.world;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A network between nodes and their database that can be slow, cut off what it carries, or carry
 * nothing without a word. Those that connect to {@link #url} go through it. Thread-safe.
 */
public final class NetworkProxy implements AutoCloseable {

  private static final Pattern ADDRESS = Pattern.compile("//([^:/]+):(\\d+)/");

  private final String url;
  private final String host;
  private final int port;
  private final ServerSocket server;
  private final Set<NetworkLink> links = ConcurrentHashMap.newKeySet();
  private volatile Duration latency = Duration.ZERO;
  private volatile CountDownLatch passage = new CountDownLatch(0);

  /** In front of the server that this JDBC URL names. */
  public NetworkProxy(String url) {
    Matcher address = ADDRESS.matcher(url);
    if (!address.find()) {
      throw new IllegalArgumentException("url must have a host and a port, got: " + url);
    }
    host = address.group(1);
    port = Integer.parseInt(address.group(2));
    try {
      server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    this.url = address.replaceFirst("//127.0.0.1:" + server.getLocalPort() + "/");
    daemon(this::accept);
  }

  /** The same database, through the network. */
  public String url() {
    return url;
  }

  /** From now on everything takes so long in each direction. */
  public void slowDown(Duration newLatency) {
    latency = newLatency;
  }

  /** Resets every connection there is, as seen from both sides; new ones pass. */
  public void cut() {
    links.forEach(NetworkLink::reset);
  }

  /**
   * Nothing passes any more in either direction, no end of a connection either; new ones are
   * accepted and get no answer.
   */
  public void silence() {
    passage = new CountDownLatch(1);
  }

  /** What was sent meanwhile arrives after all, as TCP has it. */
  public void heal() {
    passage.countDown();
  }

  /** What was sent meanwhile is lost, and so are those connections, unknown to both sides. */
  public void forget() {
    links.forEach(NetworkLink::deafen);
    passage.countDown();
  }

  Duration latency() {
    return latency;
  }

  void awaitPassage() throws InterruptedException {
    passage.await();
  }

  void ended(NetworkLink link) {
    links.remove(link);
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        connect(server.accept());
      } catch (IOException e) {
        // Closed, or the server is not there, as its client learns by the end of the connection.
      }
    }
  }

  private void connect(Socket client) throws IOException {
    try {
      NetworkLink link = new NetworkLink(this, client, new Socket(host, port));
      links.add(link);
      link.start();
    } catch (IOException e) {
      client.close();
      throw e;
    }
  }

  static void daemon(Runnable task) {
    Thread thread = new Thread(task, "network");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    cut();
    passage.countDown();
  }
}
