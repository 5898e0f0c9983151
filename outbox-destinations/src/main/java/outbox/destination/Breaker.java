package outbox.destination;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Keeps events from a destination that is away, but for one batch now and then that finds out
 * whether it is back. The unit is the batch: what became of it counts once.
 */
final class Breaker {

  private final CircuitBreaker circuit;
  private final GuardSettings settings;
  private final Clock clock;
  private final AtomicInteger underWay = new AtomicInteger();
  private volatile Instant probeAt = Instant.EPOCH;

  /**
   * @param down told when the destination goes away
   * @param up told when it is back
   */
  Breaker(String name, GuardSettings settings, Runnable down, Runnable up) {
    this.settings = settings;
    this.clock = settings.spans();
    circuit =
        CircuitBreaker.of(
            name,
            CircuitBreakerConfig.custom()
                .slidingWindow(
                    settings.outageAfter(), settings.outageAfter(), SlidingWindowType.COUNT_BASED)
                .failureRateThreshold(100)
                .permittedNumberOfCallsInHalfOpenState(1)
                .waitIntervalFunctionInOpenState(this::pauseBefore)
                .writableStackTraceEnabled(false)
                .clock(clock)
                .build());
    circuit
        .getEventPublisher()
        .onStateTransition(
            event -> {
              switch (event.getStateTransition()) {
                case CLOSED_TO_OPEN -> down.run();
                case HALF_OPEN_TO_CLOSED, OPEN_TO_CLOSED -> up.run();
                default -> {}
              }
            });
  }

  /** Whoever gets true says in the end what became of the batch. */
  boolean tryAcquire() {
    boolean acquired = circuit.tryAcquirePermission();
    if (acquired) {
      underWay.incrementAndGet();
    }
    return acquired;
  }

  boolean isClosed() {
    return circuit.getState() == State.CLOSED;
  }

  /** Whether a batch that came now would be sent. */
  boolean wouldTake() {
    return switch (circuit.getState()) {
      case OPEN -> !clock.instant().isBefore(probeAt);
      case HALF_OPEN -> underWay.get() == 0;
      default -> true;
    };
  }

  /** The destination has answered, if only to refuse. */
  void answered() {
    underWay.decrementAndGet();
    circuit.onSuccess(0, TimeUnit.NANOSECONDS);
  }

  /** The destination is away, or so it seems. */
  void away(UnavailableException failure) {
    underWay.decrementAndGet();
    circuit.onError(0, TimeUnit.NANOSECONDS, failure);
  }

  /** The destination has asked for that. */
  void leaveAlone(Duration asked) {
    Instant until = clock.instant().plus(asked);
    if (until.isAfter(probeAt)) {
      probeAt = until;
      circuit.transitionToOpenStateUntil(until);
    }
  }

  /** Nothing was learnt about the destination. */
  void unknown() {
    underWay.decrementAndGet();
    circuit.releasePermission();
  }

  /** How long until the destination is asked again; zero if that is now. */
  Duration untilProbe() {
    Duration left = Duration.between(clock.instant(), probeAt);
    return isClosed() || left.isNegative() ? Duration.ZERO : left;
  }

  /** Doubles from the first to the longest; half of it is left to chance. */
  private long pauseBefore(int attempt) {
    long first = settings.firstProbe().toMillis();
    long longest = settings.longestProbe().toMillis();
    long full = Math.min(longest, first << Math.min(30, Math.max(0, attempt - 1)));
    long pause = Math.max(1, full / 2 + ThreadLocalRandom.current().nextLong(full / 2 + 1));
    probeAt = clock.instant().plusMillis(pause);
    return pause;
  }
}
