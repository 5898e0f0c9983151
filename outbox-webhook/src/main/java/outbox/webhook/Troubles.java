package outbox.webhook;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Remembers which endpoints are not to be called for now: those that asked for it, by their
 * address, and those that can't be reached, by their host. When the time is over one event goes
 * ahead, and the others follow when it has been answered. Endpoints without trouble take no memory.
 */
final class Troubles {

  /** That many silent answers in a row are an outage; fewer are the events' own failures. */
  static final int SILENCES_OF_AN_OUTAGE = 3;

  private static final int MOST_REMEMBERED = 10_000;
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

  private final Clock clock;
  private final Duration longestPause;
  private final Duration tryTime;
  private final Map<String, Trouble> troubles = new ConcurrentHashMap<>();

  /**
   * @param longestPause between two tries of what can't be reached: 1, 2, 4 … s up to this
   * @param tryTime how long a try takes at most
   */
  Troubles(Clock clock, Duration longestPause, Duration tryTime) {
    this.clock = clock;
    this.longestPause = longestPause;
    this.tryTime = tryTime;
  }

  /** Why and for how long the endpoint is left alone; empty if it may be called. */
  Optional<Hold> hold(Endpoint endpoint) {
    return hold(endpoint.origin()).or(() -> hold(endpoint.address()));
  }

  void note(Endpoint endpoint, Verdict verdict) {
    switch (verdict.kind()) {
      case UNREACHABLE -> worsen(endpoint.origin(), verdict, 1);
      case SILENT -> {
        troubles.remove(endpoint.origin());
        worsen(endpoint.address(), verdict, SILENCES_OF_AN_OUTAGE);
      }
      case THROTTLED -> {
        troubles.remove(endpoint.origin());
        throttle(endpoint.address(), verdict);
      }
      default -> {
        troubles.remove(endpoint.origin());
        troubles.computeIfPresent(
            endpoint.address(), (any, trouble) -> trouble.outlastsAnswers() ? trouble : null);
      }
    }
  }

  /** How long an event that met trouble is to wait. */
  Duration delay(Endpoint endpoint) {
    Instant now = clock.instant();
    return Stream.of(endpoint.origin(), endpoint.address())
        .map(troubles::get)
        .filter(Objects::nonNull)
        .map(trouble -> trouble.hold(now).left())
        .max(Comparator.naturalOrder())
        .orElse(FIRST_PAUSE);
  }

  /** Whether it has been silent so often that no event is to blame. */
  boolean isOut(Endpoint endpoint) {
    Trouble trouble = troubles.get(endpoint.address());
    return trouble != null && trouble.streak >= SILENCES_OF_AN_OUTAGE;
  }

  private Optional<Hold> hold(String name) {
    if (!troubles.containsKey(name)) {
      return Optional.empty();
    }
    Instant now = clock.instant();
    @Nullable Hold[] hold = new @Nullable Hold[1];
    troubles.computeIfPresent(
        name,
        (any, trouble) -> {
          if (now.isBefore(trouble.until)) {
            hold[0] = trouble.hold(now);
            return trouble;
          }
          return trouble.isHeld ? trouble.tried(now.plus(tryTime)) : trouble;
        });
    return Optional.ofNullable(hold[0]);
  }

  private void worsen(String name, Verdict verdict, int enough) {
    remember(
        name,
        before -> {
          if (before != null && before.isHeld && !before.isTried) {
            return before; // what was under way when it began tells nothing new
          }
          int streak = before == null ? 1 : before.streak + 1;
          boolean isHeld = streak >= enough;
          Duration pause = isHeld ? pause(streak - enough) : Duration.ZERO;
          return new Trouble(streak, clock.instant().plus(pause), verdict.message(), isHeld, false);
        });
  }

  private void throttle(String name, Verdict verdict) {
    Duration after = verdict.after() == null ? FIRST_PAUSE : verdict.after();
    remember(
        name,
        before -> new Trouble(0, clock.instant().plus(after), verdict.message(), true, false));
  }

  private void remember(String name, UnaryOperator<@Nullable Trouble> change) {
    if (troubles.size() >= MOST_REMEMBERED) {
      Instant now = clock.instant();
      troubles.values().removeIf(trouble -> trouble.until.isBefore(now));
    }
    if (troubles.size() < MOST_REMEMBERED || troubles.containsKey(name)) {
      troubles.compute(name, (any, before) -> change.apply(before));
    }
  }

  private Duration pause(int doublings) {
    Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(doublings, 16));
    return pause.compareTo(longestPause) > 0 ? longestPause : pause;
  }

  /**
   * How long the endpoint is left alone, and what happened.
   *
   * @param isOutage whether the endpoint is down, and didn't just ask to be left alone
   */
  record Hold(Duration left, String reason, boolean isOutage) {}

  /**
   * @param isHeld whether it is left alone until then
   * @param isTried whether that time is over, and one event has gone ahead
   */
  private record Trouble(
      int streak, Instant until, String reason, boolean isHeld, boolean isTried) {

    Hold hold(Instant now) {
      Duration left = Duration.between(now, until);
      return new Hold(left.isNegative() ? Duration.ZERO : left, reason, streak > 0);
    }

    /** What was under way when the endpoint asked to be left alone doesn't take that back. */
    boolean outlastsAnswers() {
      return streak == 0 && !isTried;
    }

    Trouble tried(Instant later) {
      return new Trouble(streak, later, reason, isHeld, true);
    }
  }
}
