package outbox.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressRulesTest {

  private static final AddressRules PUBLIC = AddressRules.publicOnly();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.0.0.0",
        "0.1.2.3",
        "10.0.0.1",
        "10.255.255.255",
        "100.64.0.1",
        "100.127.255.255",
        "127.0.0.1",
        "127.255.255.254",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.8",
        "192.0.2.1",
        "192.88.99.1",
        "192.168.0.1",
        "198.18.0.1",
        "198.19.255.255",
        "198.51.100.1",
        "203.0.113.1",
        "224.0.0.1",
        "239.255.255.255",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::ffff:10.0.0.1",
        "::ffff:127.0.0.1",
        "::7f00:1",
        "64:ff9b::7f00:1",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b::c0a8:1",
        "64:ff9b:1::1",
        "100::1",
        "2001::1",
        "2001:db8::1",
        "2002:7f00:1::1",
        "2002:808:808::1",
        "3fff::1",
        "5f00::1",
        "fc00::1",
        "fd12:3456::1",
        "fe80::1",
        "fec0::1",
        "ff02::1"
      })
  void whatIsNotOfTheInternetIsRefused(String address) throws Exception {
    assertThat(PUBLIC.allow(InetAddress.getByName(address))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1.1.1.1",
        "8.8.8.8",
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "128.0.0.1",
        "169.253.0.1",
        "172.15.255.255",
        "172.32.0.0",
        "192.167.0.1",
        "192.169.0.1",
        "223.255.255.255",
        "::ffff:8.8.8.8",
        "64:ff9b::808:808",
        "2001:4860:4860::8888",
        "2606:4700::1111",
        "2a00:1450::1"
      })
  void whatIsOfTheInternetIsAllowed(String address) throws Exception {
    assertThat(PUBLIC.allow(InetAddress.getByName(address))).isTrue();
  }

  @Test
  void privateAddressesCanBeAllowedButNotTheMetadataOfACloud() throws Exception {
    AddressRules rules = PUBLIC.andPrivate();

    for (String address : new String[] {"127.0.0.1", "10.1.2.3", "192.168.1.1", "::1", "fd00::1"}) {
      assertThat(rules.allow(InetAddress.getByName(address))).as(address).isTrue();
    }
    for (String address : new String[] {"169.254.169.254", "0.0.0.0", "fe80::1", "224.0.0.1"}) {
      assertThat(rules.allow(InetAddress.getByName(address))).as(address).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "100.100.100.200",
        "168.63.129.16",
        "192.0.0.192",
        "64:ff9b::6464:64c8",
        "fd00:ec2::254",
        "fd00:ec2::23",
        "fd20:ce::254",
        "fd00:42::42"
      })
  void whatCloudsTellTheirMachinesNeedsARangeThatNamesIt(String address) throws Exception {
    InetAddress metadata = InetAddress.getByName(address);

    assertThat(PUBLIC.allow(metadata)).isFalse();
    assertThat(PUBLIC.andPrivate().allow(metadata)).isFalse();
    assertThat(PUBLIC.andPrivate().and("10.0.0.0/8").allow(metadata)).isFalse();
    assertThat(PUBLIC.and(address).allow(metadata)).isTrue();
    assertThat(PUBLIC.and(address).andPrivate().allow(metadata)).isTrue();
  }

  @Test
  void rangesCanBeAllowed() throws Exception {
    AddressRules rules = PUBLIC.and("10.1.0.0/20", "192.168.7.7", "fd00:1::/32");

    assertThat(rules.allow(InetAddress.getByName("10.1.15.255"))).isTrue();
    assertThat(rules.allow(InetAddress.getByName("10.1.16.0"))).isFalse();
    assertThat(rules.allow(InetAddress.getByName("64:ff9b::a01:1"))).isTrue();
    assertThat(rules.allow(InetAddress.getByName("192.168.7.7"))).isTrue();
    assertThat(rules.allow(InetAddress.getByName("192.168.7.8"))).isFalse();
    assertThat(rules.allow(InetAddress.getByName("fd00:1::5"))).isTrue();
    assertThat(rules.allow(InetAddress.getByName("fd00:2::5"))).isFalse();
    assertThat(rules.allow(InetAddress.getByName("8.8.8.8"))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "localhost", "10.0.0.0/33", "10.0.0.0/-1", "fd00::/129", "10.0/8", "a/b"})
  void aRangeIsAnAddressAndBits(String range) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Cidr.parse(range))
        .withMessageContaining("must be");
  }
}
