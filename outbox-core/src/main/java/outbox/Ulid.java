package outbox;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Clock;

/**
 * Makes 26-character ULIDs that only grow within this process: 48 bits of milliseconds, then 80
 * bits that are random in a new millisecond and one more than the last within the same.
 */
final class Ulid {

  private static final char[] ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ".toCharArray();
  private static final int LENGTH = 26;
  private static final int RANDOM_BYTES = Short.BYTES + Long.BYTES;
  private static final long HIGH_MASK = 0xFFFFL;

  private static final Ulid SHARED = new Ulid(Clock.systemUTC(), new SecureRandom());

  private final Clock clock;
  private final SecureRandom random;

  private long millis = -1;
  private long high;
  private long low;

  Ulid(Clock clock, SecureRandom random) {
    this.clock = clock;
    this.random = random;
  }

  static String next() {
    return SHARED.generate();
  }

  synchronized String generate() {
    long now = clock.millis();
    if (now > millis) {
      millis = now;
      drawAnew();
    } else {
      increment();
    }
    return encode(millis, high, low);
  }

  /** All bits in one call: each one asks the operating system. */
  private void drawAnew() {
    byte[] bits = new byte[RANDOM_BYTES];
    random.nextBytes(bits);
    ByteBuffer drawn = ByteBuffer.wrap(bits);
    high = drawn.getShort() & HIGH_MASK;
    low = drawn.getLong();
  }

  /** A clock that stands still or jumps back must not break the order, so time is borrowed. */
  private void increment() {
    low++;
    if (low == 0) {
      high = (high + 1) & HIGH_MASK;
      if (high == 0) {
        millis++;
      }
    }
  }

  private static String encode(long millis, long high, long low) {
    char[] text = new char[LENGTH];
    write(text, 0, 10, millis);
    write(text, 10, 3, high >>> 1);
    text[13] = ALPHABET[(int) (((high & 1) << 4) | (low >>> 60))];
    write(text, 14, 12, low & 0x0FFF_FFFF_FFFF_FFFFL);
    return new String(text);
  }

  private static void write(char[] text, int from, int count, long bits) {
    for (int i = from + count - 1; i >= from; i--) {
      text[i] = ALPHABET[(int) (bits & 31)];
      bits >>>= 5;
    }
  }
}
