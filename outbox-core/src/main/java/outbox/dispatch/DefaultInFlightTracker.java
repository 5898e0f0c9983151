package outbox.dispatch;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import outbox.util.Nullable;

/**
 * Tracks events in memory, safe for all threads. With a time to live, an entry that its owner never
 * released can be taken over after that time; the late first owner then can't free the second's.
 */
public final class DefaultInFlightTracker implements InFlightTracker {

  private final ConcurrentMap<String, Entry> entries = new ConcurrentHashMap<>();
  private final long ttlNanos;

  /** Entries never expire. */
  public DefaultInFlightTracker() {
    this(0);
  }

  /** A time to live of 0 or less means that entries never expire. */
  public DefaultInFlightTracker(long ttlMs) {
    this.ttlNanos = TimeUnit.MILLISECONDS.toNanos(ttlMs);
  }

  @Override
  public boolean tryAcquire(String eventId) {
    return acquire(eventId) != null;
  }

  @Override
  public void release(String eventId) {
    entries.remove(eventId);
  }

  @Override
  public @Nullable Hold acquire(String eventId) {
    Entry mine = new Entry(eventId, System.nanoTime());
    Entry other = entries.putIfAbsent(eventId, mine);
    if (other == null || (isExpired(other) && entries.replace(eventId, other, mine))) {
      return mine;
    }
    return null;
  }

  private boolean isExpired(Entry entry) {
    return ttlNanos > 0 && System.nanoTime() - entry.sinceNanos >= ttlNanos;
  }

  /** Compared by identity: an entry is its own token. */
  private final class Entry implements Hold {

    private final String eventId;
    private final long sinceNanos;

    Entry(String eventId, long sinceNanos) {
      this.eventId = eventId;
      this.sinceNanos = sinceNanos;
    }

    @Override
    public void release() {
      entries.remove(eventId, this);
    }

    @Override
    public boolean isCurrent() {
      return entries.get(eventId) == this;
    }
  }
}
