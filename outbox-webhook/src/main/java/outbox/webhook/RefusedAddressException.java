package outbox.webhook;

import java.io.IOException;
import java.net.InetAddress;

/** The host has no address that may be connected to. */
final class RefusedAddressException extends IOException {

  private static final long serialVersionUID = 1L;

  RefusedAddressException(String host, InetAddress address) {
    super(
        "%s resolves to %s, which is not an address of the public internet; if it is yours, allow it by allowAddresses(\"%s\"), or all private ones by allowPrivateAddresses()"
            .formatted(host, address.getHostAddress(), address.getHostAddress()));
  }
}
