package outbox.samples.demo.view;

import java.time.Duration;
import java.util.Locale;

/** Numbers as people read them: {@code 4,012}, {@code 0.3 ms}, {@code 12.5 s}. */
final class Units {

  private Units() {}

  static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  static String latency(Duration duration) {
    double ms = duration.toNanos() / 1e6;
    if (ms < 10) {
      return String.format(Locale.ROOT, "%.1f ms", ms);
    }
    return ms < 1000 ? String.format(Locale.ROOT, "%.0f ms", ms) : seconds(duration);
  }

  static String seconds(Duration duration) {
    return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1000.0);
  }
}
