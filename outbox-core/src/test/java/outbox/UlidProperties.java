package outbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Iterator;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

class UlidProperties {

  private static final String ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  private static final long LATEST = (1L << 48) - 1_000_000;

  @Property
  void idsGrowWhateverClockAndRandomSay(
      @ForAll @Size(min = 2, max = 40) List<@LongRange(max = LATEST) Long> times,
      @ForAll @Size(80) List<@From("bits") Long> bits) {
    Ulid ulid = new Ulid(showing(times), giving(bits));

    String last = "";
    for (int i = 0; i < times.size(); i++) {
      String next = ulid.generate();
      assertThat(next).isGreaterThan(last).matches("[0-7][0-9A-HJKMNP-TV-Z]{25}");
      last = next;
    }
  }

  @Property
  void idIsTimeAndRandomBitsInBase32(
      @ForAll @LongRange(max = LATEST) long millis,
      @ForAll("bits") long high,
      @ForAll("bits") long low) {
    String id = new Ulid(showing(List.of(millis)), giving(List.of(high, low))).generate();

    BigInteger expected =
        BigInteger.valueOf(millis)
            .shiftLeft(16)
            .or(BigInteger.valueOf(high & 0xFFFF))
            .shiftLeft(64)
            .or(new BigInteger(Long.toUnsignedString(low)));
    assertThat(number(id)).isEqualTo(expected);
  }

  private static BigInteger number(String id) {
    BigInteger number = BigInteger.ZERO;
    for (int i = 0; i < id.length(); i++) {
      number = number.shiftLeft(5).or(BigInteger.valueOf(ALPHABET.indexOf(id.charAt(i))));
    }
    return number;
  }

  @Provide
  Arbitrary<Long> bits() {
    return Arbitraries.oneOf(Arbitraries.longs(), Arbitraries.of(-1L, -2L, 0L));
  }

  /** Two numbers for each draw of ten bytes: sixteen bits of the first, and the second. */
  private static SecureRandom giving(List<Long> bits) {
    Iterator<Long> all = bits.iterator();
    return new SecureRandom() {
      @Override
      public void nextBytes(byte[] bytes) {
        ByteBuffer.wrap(bytes).putShort(all.next().shortValue()).putLong(all.next());
      }
    };
  }

  private static Clock showing(List<Long> times) {
    Iterator<Long> all = times.iterator();
    return new Clock() {
      @Override
      public Instant instant() {
        return Instant.ofEpochMilli(all.next());
      }

      @Override
      public ZoneId getZone() {
        return ZoneOffset.UTC;
      }

      @Override
      public Clock withZone(ZoneId zone) {
        return this;
      }
    };
  }
}
