package outbox.webhook;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.regex.Pattern;

/** A range of addresses, such as {@code 10.0.0.0/8} or {@code fc00::/7}. */
final class Cidr {

  /** Nothing that a resolver would be asked for. */
  private static final Pattern ADDRESS =
      Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

  private final String text;
  private final byte[] network;
  private final int bits;

  private Cidr(String text, byte[] network, int bits) {
    this.text = text;
    this.network = network;
    this.bits = bits;
  }

  static Cidr parse(String text) {
    int slash = text.indexOf('/');
    String address = slash < 0 ? text : text.substring(0, slash);
    Checks.that(
        ADDRESS.matcher(address).matches(),
        "a range of addresses",
        "of the form 10.1.0.0/16 or fd00::/8",
        text);
    try {
      byte[] network = InetAddress.getByName(address).getAddress();
      int longest = network.length * Byte.SIZE;
      int bits = slash < 0 ? longest : Integer.parseInt(text.substring(slash + 1));
      Checks.that(
          bits >= 0 && bits <= longest, "the bits of " + text, "from 0 to " + longest, bits);
      return new Cidr(text, network, bits);
    } catch (UnknownHostException | NumberFormatException malformed) {
      throw new IllegalArgumentException(
          "a range of addresses must be of the form 10.1.0.0/16 or fd00::/8, got: " + text,
          malformed);
    }
  }

  boolean contains(InetAddress address) {
    byte[] bytes = address.getAddress();
    if (bytes.length != network.length) {
      return false;
    }
    int whole = bits / Byte.SIZE;
    int rest = bits % Byte.SIZE;
    return Arrays.equals(bytes, 0, whole, network, 0, whole)
        && (rest == 0 || ((bytes[whole] ^ network[whole]) & 0xFF) >> (Byte.SIZE - rest) == 0);
  }

  @Override
  public String toString() {
    return text;
  }
}
