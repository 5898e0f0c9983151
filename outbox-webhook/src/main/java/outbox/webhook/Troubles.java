package outbox.webhook;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import outbox.webhook.Verdict.Kind;

/**
 * Remembers which endpoints are not to be called for now: those that asked for it, by their
 * address, and those that can't be reached, by their host. When the time is over one event goes
 * ahead, and the others follow when it has been answered. Endpoints without trouble take no memory.
 */
final class Troubles {

  /** With that many in a row an endpoint is left alone. */
  private static final int FAILURES_OF_AN_OUTAGE = 3;

  private static final int MOST_REMEMBERED = 10_000;
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

  private final Clock clock;
  private final Duration longestPause;
  private final Duration tryTime;
  private final Map<String, Trouble> troubles = new ConcurrentHashMap<>();

  /**
   * @param clock one that nobody sets: what is left alone for a second is not left alone for the
   *     hour that the time of day was set back by
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

  void note(Endpoint endpoint, String eventId, Verdict verdict) {
    switch (verdict.kind()) {
      case UNREACHABLE -> worsen(endpoint.origin(), eventId, verdict);
      case SILENT, BROKEN -> {
        troubles.remove(endpoint.origin());
        worsen(endpoint.address(), eventId, verdict);
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
        .reduce(FIRST_PAUSE, (one, other) -> one.compareTo(other) < 0 ? other : one);
  }

  /** Whether it has failed for so many events in a row that none of them is to blame. */
  boolean isOut(Endpoint endpoint) {
    Trouble trouble = troubles.get(endpoint.address());
    return trouble != null && trouble.streak >= FAILURES_OF_AN_OUTAGE;
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

  private void worsen(String name, String eventId, Verdict verdict) {
    int enough = verdict.kind() == Kind.UNREACHABLE ? 1 : FAILURES_OF_AN_OUTAGE;
    remember(
        name,
        before -> {
          if (before != null && before.isHeld && !before.isTried) {
            return before; // what was under way when it began tells nothing new
          }
          int streak = before == null ? 1 : before.streakWith(eventId, verdict.kind());
          Set<String> events = before == null ? Set.of(eventId) : before.eventsWith(eventId);
          boolean isHeld = streak >= enough;
          Instant until = clock.instant().plus(isHeld ? pause(streak - enough) : Duration.ZERO);
          return new Trouble(streak, events, until, verdict.message(), isHeld, false);
        });
  }

  private void throttle(String name, Verdict verdict) {
    Duration after = verdict.after() == null ? FIRST_PAUSE : verdict.after();
    remember(
        name,
        before ->
            new Trouble(0, Set.of(), clock.instant().plus(after), verdict.message(), true, false));
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
   * @param events the first of the streak, as many as make an outage
   * @param isHeld whether it is left alone until then
   * @param isTried whether that time is over, and one event has gone ahead
   */
  private record Trouble(
      int streak,
      Set<String> events,
      Instant until,
      String reason,
      boolean isHeld,
      boolean isTried) {

    /** An event that breaks its receiver time and again doesn't make an outage. */
    int streakWith(String eventId, Kind kind) {
      boolean isSameAgain =
          kind == Kind.BROKEN && streak < FAILURES_OF_AN_OUTAGE && events.contains(eventId);
      return isSameAgain ? streak : streak + 1;
    }

    Set<String> eventsWith(String eventId) {
      if (events.size() >= FAILURES_OF_AN_OUTAGE || events.contains(eventId)) {
        return events;
      }
      Set<String> more = new HashSet<>(events);
      more.add(eventId);
      return more;
    }

    Hold hold(Instant now) {
      Duration left = Duration.between(now, until);
      return new Hold(left.isNegative() ? Duration.ZERO : left, reason, streak > 0);
    }

    /** What was under way when the endpoint asked to be left alone doesn't take that back. */
    boolean outlastsAnswers() {
      return streak == 0 && !isTried;
    }

    Trouble tried(Instant later) {
      return new Trouble(streak, events, later, reason, isHeld, true);
    }
  }
}
