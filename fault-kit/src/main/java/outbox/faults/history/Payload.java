package outbox.faults.history;

import outbox.EventEnvelope;

/**
 * A payload tells the how manieth event of its aggregate it is; blanks make it as long as asked.
 */
public final class Payload {

  private Payload() {}

  public static String of(int version, int length) {
    String number = String.valueOf(version);
    return number + " ".repeat(Math.max(0, length - number.length()));
  }

  public static int version(EventEnvelope event) {
    return version(String.valueOf(event.payloadJson()));
  }

  public static int version(String payload) {
    return Integer.parseInt(payload.strip());
  }
}
