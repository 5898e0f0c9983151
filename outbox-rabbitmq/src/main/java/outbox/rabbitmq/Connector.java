package outbox.rabbitmq;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Makes connections that end for good when they are lost: what they carried has to be known. */
final class Connector {

  private final ConnectionFactory factory;
  private final List<Address> addresses;
  private final String connectionName;

  /** A copy of the factory is used, with these settings of our own. */
  Connector(
      ConnectionFactory given, List<Address> addresses, String name, Duration connectTimeout) {
    factory = given.clone();
    this.addresses =
        addresses.isEmpty()
            ? List.of(new Address(factory.getHost(), factory.getPort()))
            : List.copyOf(addresses);
    connectionName = "outbox " + name;
    int millis = (int) Math.min(Integer.MAX_VALUE, connectTimeout.toMillis());
    factory.setAutomaticRecoveryEnabled(false);
    factory.setTopologyRecoveryEnabled(false);
    factory.setConnectionTimeout(millis);
    factory.setHandshakeTimeout(millis);
    factory.setChannelRpcTimeout(millis);
    factory.setShutdownTimeout(millis);
  }

  Link connect() throws IOException, TimeoutException {
    AtomicReference<@Nullable Socket> socket = new AtomicReference<>();
    ConnectionFactory once = factory.clone();
    once.setSocketConfigurator(factory.getSocketConfigurator().andThen(socket::set));
    return new Link(once.newConnection(addresses, connectionName), socket.get());
  }

  /** Such as {@code amqp://shop@rabbit-1:5672,rabbit-2:5672/orders}. */
  String address() {
    String hosts = addresses.stream().map(Address::toString).collect(Collectors.joining(","));
    String virtualHost = factory.getVirtualHost();
    return "%s://%s@%s%s"
        .formatted(
            factory.isSSL() ? "amqps" : "amqp",
            factory.getUsername(),
            hosts,
            virtualHost.startsWith("/") ? virtualHost : "/" + virtualHost);
  }
}
