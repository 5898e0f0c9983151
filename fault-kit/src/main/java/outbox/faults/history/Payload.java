package outbox.faults.history;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.SplittableRandom;
import outbox.EventEnvelope;

/**
 * A payload tells the how manieth event of its aggregate it is; white space makes it as long as
 * asked, different for each number and at each place, so that a part that is missing, doubled or
 * another event's is seen.
 */
public final class Payload {

  /** What JSON allows around a number. */
  private static final String BLANKS = " \t\n\r";

  /** How much of a digest tells payloads apart. */
  public static final int DIGITS = 8;

  private Payload() {}

  public static String of(int version, int length) {
    StringBuilder payload = new StringBuilder().append(version);
    SplittableRandom random = new SplittableRandom(version);
    while (payload.length() < length) {
      payload.append(BLANKS.charAt(random.nextInt(BLANKS.length())));
    }
    return payload.toString();
  }

  public static int version(EventEnvelope event) {
    return version(String.valueOf(event.payloadJson()));
  }

  public static int version(String payload) {
    return Integer.parseInt(payload.strip());
  }

  /** What a history keeps of a payload: its version, its length and the digest of all of it. */
  static String trace(EventEnvelope event) {
    String payload = String.valueOf(event.payloadJson());
    return version(payload) + "/" + print(payload.length(), md5(payload));
  }

  /** Tells payloads of one version apart; the digest is MD5 in hex, as databases have it. */
  public static String print(int length, String digest) {
    return length + "/" + digest.substring(0, DIGITS);
  }

  private static String md5(String payload) {
    try {
      MessageDigest digest = MessageDigest.getInstance("MD5");
      return HexFormat.of().formatHex(digest.digest(payload.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
