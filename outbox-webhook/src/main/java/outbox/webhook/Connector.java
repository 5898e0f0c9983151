package outbox.webhook;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * Connects to a host by an address that the rules allow. A name is resolved once, and the address
 * that was judged is the one connected to.
 */
final class Connector {

  private final Resolver resolver;
  private final AddressRules rules;
  private final Duration timeout;

  Connector(Resolver resolver, AddressRules rules, Duration timeout) {
    this.resolver = resolver;
    this.rules = rules;
    this.timeout = timeout;
  }

  Socket connect(String host, int port) throws IOException {
    List<InetAddress> addresses = allowedAddresses(host);
    long end = System.nanoTime() + timeout.toNanos();
    IOException failure = null;
    for (int i = 0; i < addresses.size(); i++) {
      Duration left = Duration.ofNanos(end - System.nanoTime()).dividedBy(addresses.size() - i);
      try {
        return connect(new InetSocketAddress(addresses.get(i), port), left);
      } catch (IOException unreachable) {
        failure = unreachable;
      }
    }
    throw failure == null ? new UnknownHostException(host) : failure;
  }

  private List<InetAddress> allowedAddresses(String host) throws IOException {
    InetAddress[] addresses = resolver.resolve(host);
    List<InetAddress> allowed = Stream.of(addresses).filter(rules::allow).toList();
    if (allowed.isEmpty() && addresses.length > 0) {
      throw new RefusedAddressException(host, addresses[0]);
    }
    return allowed;
  }

  /** Without a proxy, whatever the system's properties say: it would resolve for itself. */
  private static Socket connect(InetSocketAddress address, Duration timeout) throws IOException {
    if (timeout.toMillis() < 1) {
      throw new SocketTimeoutException("no time left to connect");
    }
    Socket socket = new Socket(Proxy.NO_PROXY);
    try {
      socket.connect(address, (int) Math.min(Integer.MAX_VALUE, timeout.toMillis()));
      return socket;
    } catch (IOException unreachable) {
      socket.close();
      throw unreachable;
    }
  }
}
