package outbox.webhook;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import outbox.internal.RateLimitedLog;
import outbox.internal.SafeLogger;

/**
 * Says every ten seconds at most which endpoints take no events, what happened there, how many
 * events were put off, and when it is tried again. Names a few hosts, and never a path.
 */
final class Standstill {

  private static final int MOST_NAMED = 10;

  private final RateLimitedLog log = new RateLimitedLog(SafeLogger.of(WebhookDestination.class));
  private final String name;

  /** By host, since it was said last; guarded by itself. */
  private final Map<String, Wait> waits = new LinkedHashMap<>();

  Standstill(String name) {
    this.name = name;
  }

  /**
   * @param left until the endpoint is tried again
   */
  void putOff(Endpoint endpoint, String reason, Duration left) {
    remember(endpoint, reason, left);
    log.warn(1, this::told);
  }

  void remember(Endpoint endpoint, String reason, Duration left) {
    synchronized (waits) {
      Wait before = waits.get(endpoint.origin());
      if (before != null || waits.size() < MOST_NAMED) {
        long events = before == null ? 1 : before.events + 1;
        waits.put(endpoint.origin(), new Wait(reason, events, left));
      }
    }
  }

  /** Forgets what it tells. */
  String told(long events) {
    List<String> told = new ArrayList<>();
    long others = events;
    synchronized (waits) {
      for (Wait wait : waits.values()) {
        told.add(wait.toString());
        others -= wait.events;
      }
      waits.clear();
    }
    if (others > 0) {
      told.add("others (events=%d)".formatted(others));
    }
    return "%s: endpoints take nothing now; their events wait without losing attempts: %s"
        .formatted(name, String.join("; ", told));
  }

  private record Wait(String reason, long events, Duration left) {

    @Override
    public String toString() {
      return "%s (events=%d, triedAgainIn=%d ms)".formatted(reason, events, left.toMillis());
    }
  }
}
