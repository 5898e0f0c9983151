package outbox.webhook;

import java.time.Duration;

/** Checks on arguments, all with one message form. */
final class Checks {

  private Checks() {}

  static void that(boolean holds, String name, String rule, Object value) {
    if (!holds) {
      throw new IllegalArgumentException(name + " must be " + rule + ", got: " + value);
    }
  }

  static Duration positive(String name, Duration value) {
    that(!value.isZero() && !value.isNegative(), name, "positive", value);
    return value;
  }

  static int atLeastOne(String name, int value) {
    that(value >= 1, name, "at least 1", value);
    return value;
  }
}
