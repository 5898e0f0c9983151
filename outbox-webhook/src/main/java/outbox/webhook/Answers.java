package outbox.webhook;

import java.net.URI;
import java.net.http.HttpHeaders;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import outbox.webhook.Verdict.Kind;

/** What the status of an answer means. */
final class Answers {

  /** The receiver has looked at the request and will not like it better the next time. */
  private static final Set<Integer> REFUSALS = Set.of(400, 413, 414, 415, 422, 431);

  /** Said by what stands in front of a receiver that is down, or overrun. */
  private static final Set<Integer> OUTAGES = Set.of(502, 503, 504);

  private static final int GONE = 410;
  private static final int TOO_MANY_REQUESTS = 429;

  /** For a receiver that is overrun and doesn't say for how long. */
  private static final Duration DEFAULT_PAUSE = Duration.ofSeconds(30);

  private final Clock clock;
  private final Duration longestPause;

  Answers(Clock clock, Duration longestPause) {
    this.clock = clock;
    this.longestPause = longestPause;
  }

  Verdict judge(Endpoint endpoint, int status, HttpHeaders headers) {
    String answered = endpoint.origin() + " answered " + status;
    Optional<Duration> after = retryAfter(headers);
    if (status >= 200 && status < 300) {
      return Verdict.of(Kind.DELIVERED, answered);
    }
    if (status == TOO_MANY_REQUESTS) {
      return Verdict.throttled(answered + told(after), after.orElse(DEFAULT_PAUSE));
    }
    if (OUTAGES.contains(status)) {
      return after
          .map(pause -> Verdict.throttled(answered + told(after), pause))
          .orElseGet(() -> Verdict.of(Kind.SILENT, answered));
    }
    if (status == GONE) {
      return Verdict.of(Kind.GONE, answered + ": it wants no events any more; stop sending to it");
    }
    if (REFUSALS.contains(status)) {
      return Verdict.of(Kind.REFUSED, answered + ": it will not take this event");
    }
    Verdict failed =
        Verdict.of(
            status >= 500 ? Kind.BROKEN : Kind.FAILED,
            answered + advice(endpoint, status, headers));
    return after.map(failed::after).orElse(failed);
  }

  private Optional<Duration> retryAfter(HttpHeaders headers) {
    return headers
        .firstValue("retry-after")
        .flatMap(value -> RetryAfter.parse(value, clock.instant()))
        .map(pause -> pause.compareTo(longestPause) > 0 ? longestPause : pause);
  }

  private static String told(Optional<Duration> after) {
    return after.map(pause -> " and Retry-After: " + pause.toSeconds() + " s").orElse("");
  }

  private static String advice(Endpoint endpoint, int status, HttpHeaders headers) {
    return switch (status) {
      case 401, 403 -> ": check the keys and headers that it expects, and its access rules";
      case 404, 405 -> ": check the URL";
      default -> status >= 300 && status < 400 ? redirect(endpoint, headers) : "";
    };
  }

  /** Without path and query of the new place: those are often secrets. */
  private static String redirect(Endpoint endpoint, HttpHeaders headers) {
    return headers
        .firstValue("location")
        .flatMap(location -> target(endpoint, location))
        .map(origin -> origin.equals(endpoint.origin()) ? "another path of this host" : origin)
        .map(place -> ", a redirect to " + place + ", which is not followed; change the URL")
        .orElse(", a redirect, which is not followed; change the URL");
  }

  private static Optional<String> target(Endpoint endpoint, String location) {
    try {
      URI target = endpoint.url().resolve(location);
      return Optional.ofNullable(target.getHost()).map(host -> Endpoint.originOf(target));
    } catch (IllegalArgumentException malformed) {
      return Optional.empty();
    }
  }
}
