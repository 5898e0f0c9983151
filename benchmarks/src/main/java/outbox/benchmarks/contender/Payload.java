package outbox.benchmarks.contender;

/** 300 bytes of JSON that carry the event's number. */
public final class Payload {

  private static final String HEAD = "{\"id\":\"";
  private static final int DIGITS = 12;
  private static final String ZEROS = "0".repeat(DIGITS);
  private static final String MIDDLE = "\",\"text\":\"";
  private static final String TAIL = "\"}";
  private static final int BYTES = 300;
  private static final String REST =
      MIDDLE + "x".repeat(BYTES - HEAD.length() - DIGITS - MIDDLE.length() - TAIL.length()) + TAIL;

  private Payload() {}

  public static String of(long id) {
    String digits = Long.toString(id);
    return HEAD + ZEROS.substring(digits.length()) + digits + REST;
  }

  public static long id(String payload) {
    return Long.parseLong(payload, HEAD.length(), HEAD.length() + DIGITS, 10);
  }
}
