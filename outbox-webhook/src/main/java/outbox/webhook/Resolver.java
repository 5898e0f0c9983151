package outbox.webhook;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Tells the addresses of a host. */
@FunctionalInterface
interface Resolver {

  InetAddress[] resolve(String host) throws UnknownHostException;
}
