package outbox.webhook;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads the header of that name: seconds, or a date of HTTP. */
final class RetryAfter {

  private static final Pattern SECONDS = Pattern.compile("\\d{1,18}");

  /** As much as any caller can wait, and still a number of nanoseconds. */
  private static final Duration LONGEST = Duration.ofDays(365);

  private RetryAfter() {}

  /** Empty for what is neither; zero for a date that has passed. */
  static Optional<Duration> parse(String value, Instant now) {
    String text = value.strip();
    if (SECONDS.matcher(text).matches()) {
      return Optional.of(atMost(Duration.ofSeconds(Long.parseLong(text))));
    }
    try {
      Instant moment = DateTimeFormatter.RFC_1123_DATE_TIME.parse(text, Instant::from);
      return Optional.of(
          moment.isAfter(now) ? atMost(Duration.between(now, moment)) : Duration.ZERO);
    } catch (DateTimeException neither) {
      return Optional.empty();
    }
  }

  private static Duration atMost(Duration pause) {
    return pause.compareTo(LONGEST) > 0 ? LONGEST : pause;
  }
}
