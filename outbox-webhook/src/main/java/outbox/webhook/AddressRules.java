package outbox.webhook;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Which addresses may be connected to: those of the public internet, and what was allowed beyond.
 * The ranges are those that IANA's registries of special-purpose addresses don't call globally
 * reachable, and multicast.
 */
final class AddressRules {

  /** What {@code allowPrivateAddresses} is about: networks of one's own, and this machine. */
  private static final List<Cidr> PRIVATE =
      ranges(
          "10.0.0.0/8",
          "172.16.0.0/12",
          "192.168.0.0/16", // RFC 1918
          "100.64.0.0/10", // shared by the customers of a carrier
          "127.0.0.0/8",
          "::1/128", // loopback
          "fc00::/7"); // unique local

  /** Where clouds tell their machines who they are, with which keys; the rest is link-local. */
  private static final List<Cidr> METADATA =
      ranges(
          "100.100.100.200", // Alibaba
          "168.63.129.16", // Azure, of all public addresses
          "192.0.0.192", // Oracle
          "fd00:ec2::/32", // Amazon
          "fd20:ce::254", // Google
          "fd00:c1::a9fe:a9fe", // Oracle
          "fd00:42::42"); // Scaleway

  /** Never an endpoint's, except by a range that names them. */
  private static final List<Cidr> SPECIAL =
      ranges(
          "0.0.0.0/8",
          "169.254.0.0/16", // link-local
          "192.0.0.0/24", // protocol assignments
          "192.0.2.0/24",
          "198.51.100.0/24",
          "203.0.113.0/24", // documentation
          "192.88.99.0/24", // relays of 6to4
          "198.18.0.0/15", // benchmarks
          "224.0.0.0/4", // multicast
          "240.0.0.0/4", // reserved, and broadcast
          "2001::/23", // protocol assignments, Teredo among them
          "2001:db8::/32",
          "3fff::/20", // documentation
          "2002::/16"); // 6to4: an IPv4 address of anybody's choice inside

  /** All of IPv6 that is the internet's; the rest is link-local, multicast, reserved or unused. */
  private static final Cidr GLOBAL_UNICAST = Cidr.parse("2000::/3");

  /** The addresses of IPv4 as an IPv6-only network sees them. */
  private static final Cidr NAT64 = Cidr.parse("64:ff9b::/96");

  private final List<Cidr> named;
  private final boolean allowPrivate;

  private AddressRules(List<Cidr> named, boolean allowPrivate) {
    this.named = named;
    this.allowPrivate = allowPrivate;
  }

  static AddressRules publicOnly() {
    return new AddressRules(List.of(), false);
  }

  AddressRules andPrivate() {
    return new AddressRules(named, true);
  }

  AddressRules and(String... ranges) {
    return new AddressRules(
        Stream.concat(named.stream(), ranges(ranges).stream()).toList(), allowPrivate);
  }

  boolean allow(InetAddress address) {
    InetAddress meant = translated(address);
    if (contains(named, address) || contains(named, meant)) {
      return true;
    }
    if (contains(METADATA, meant)) {
      return false;
    }
    return contains(PRIVATE, meant) ? allowPrivate : isPublic(meant);
  }

  private static boolean isPublic(InetAddress address) {
    boolean isInternet = address instanceof Inet4Address || GLOBAL_UNICAST.contains(address);
    return isInternet && !contains(SPECIAL, address);
  }

  /** Java itself makes an IPv4 address of one that is mapped into IPv6. */
  private static InetAddress translated(InetAddress address) {
    if (!NAT64.contains(address)) {
      return address;
    }
    byte[] bytes = address.getAddress();
    try {
      return InetAddress.getByAddress(Arrays.copyOfRange(bytes, 12, bytes.length));
    } catch (UnknownHostException impossible) {
      throw new IllegalStateException("four bytes are an address", impossible);
    }
  }

  private static boolean contains(List<Cidr> ranges, InetAddress address) {
    return ranges.stream().anyMatch(range -> range.contains(address));
  }

  private static List<Cidr> ranges(String... texts) {
    return Stream.of(texts).map(Cidr::parse).toList();
  }
}
