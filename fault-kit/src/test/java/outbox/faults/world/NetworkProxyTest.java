package outbox.faults.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class NetworkProxyTest {

  private static final int SHORT_MILLIS = 200;
  private static final int LONG_MILLIS = 60_000;
  private static final Duration LATENCY = Duration.ofMillis(500);

  private ServerSocket echo;
  private NetworkProxy network;

  @BeforeEach
  void startEcho() throws IOException {
    echo = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    NetworkProxy.daemon(this::acceptAll);
    network = new NetworkProxy("jdbc:any://127.0.0.1:%d/db?user=u".formatted(echo.getLocalPort()));
  }

  @AfterEach
  void close() throws IOException {
    network.close();
    echo.close();
  }

  @Test
  void onlyTheAddressOfAUrlChanges() {
    assertThat(network.url())
        .matches("jdbc:any://127\\.0\\.0\\.1:\\d+/db\\?user=u")
        .doesNotContain(":" + echo.getLocalPort() + "/");
  }

  @Test
  void urlWithoutAPortIsRefused() {
    assertThatThrownBy(() -> new NetworkProxy("jdbc:h2:mem:x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("url must have a host and a port, got: jdbc:h2:mem:x");
  }

  @Test
  void slowNetworkTakesItsTimeInEachDirection() throws IOException {
    try (Socket client = connect()) {
      exchange(client); // which also waits until the connection is made
      Duration bothWays = LATENCY.multipliedBy(2);
      assertThat(exchange(client)).isLessThan(bothWays);

      network.slowDown(LATENCY);

      assertThat(exchange(client)).isGreaterThanOrEqualTo(bothWays);
    }
  }

  @Test
  void cutConnectionsAreResetAndNewOnesPass() throws IOException {
    try (Socket client = connect();
        Socket next = connect()) {
      exchange(client);
      exchange(next);
      network.cut();

      assertThatThrownBy(() -> exchange(client)).isInstanceOf(SocketException.class);
      assertThatThrownBy(() -> exchange(next)).isInstanceOf(SocketException.class);
      try (Socket afterwards = connect()) {
        exchange(afterwards);
      }
    }
  }

  @Test
  void silentNetworkAcceptsAndAnswersNothingUntilItHeals() throws IOException {
    try (Socket client = connect()) {
      exchange(client);
      network.silence();
      try (Socket next = connect()) {
        client.getOutputStream().write(1);
        next.getOutputStream().write(2);
        assertSilent(client);
        assertSilent(next);

        network.heal();

        client.setSoTimeout(LONG_MILLIS);
        next.setSoTimeout(LONG_MILLIS);
        assertThat(client.getInputStream().read()).isEqualTo(1);
        assertThat(next.getInputStream().read()).isEqualTo(2);
      }
    }
  }

  @Test
  void connectionsOfASilentTimeStaySilentOnceForgotten() throws IOException {
    try (Socket client = connect()) {
      exchange(client);
      network.silence();
      client.getOutputStream().write(1);

      network.forget();

      assertSilent(client);
      try (Socket next = connect()) {
        exchange(next);
      }
    }
  }

  @Test
  void endOfAConnectionReachesTheOtherSide() throws IOException {
    try (Socket client = connect()) {
      client.shutdownOutput();

      assertThat(client.getInputStream().read()).isEqualTo(-1);
    }
  }

  private Socket connect() throws IOException {
    URI address = URI.create(network.url().substring("jdbc:".length()));
    Socket socket = new Socket(address.getHost(), address.getPort());
    socket.setSoTimeout(LONG_MILLIS);
    return socket;
  }

  private static Duration exchange(Socket client) throws IOException {
    long start = System.nanoTime();
    client.getOutputStream().write(7);
    int answer = client.getInputStream().read();
    if (answer < 0) {
      throw new SocketException("closed");
    }
    assertThat(answer).isEqualTo(7);
    return Duration.ofNanos(System.nanoTime() - start);
  }

  private static void assertSilent(Socket client) throws IOException {
    client.setSoTimeout(SHORT_MILLIS);
    assertThatThrownBy(() -> client.getInputStream().read())
        .isInstanceOf(SocketTimeoutException.class);
  }

  private void acceptAll() {
    while (!echo.isClosed()) {
      try {
        Socket socket = echo.accept();
        NetworkProxy.daemon(() -> answer(socket));
      } catch (IOException e) {
        // Closed.
      }
    }
  }

  private static void answer(Socket socket) {
    try (socket) {
      socket.getInputStream().transferTo(socket.getOutputStream());
    } catch (IOException e) {
      // Cut.
    }
  }
}
