package outbox.samples.demo.books;

import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import outbox.EventEnvelope;

/**
 * Notes what the shop and the listeners saw themselves, independent of what the outbox says: which
 * orders committed and when, which did not, and which events arrived how often. Safe for all
 * threads.
 */
public final class Ledger {

  private final Map<String, Long> commitNanos = new ConcurrentHashMap<>();
  private final Set<String> rolledBack = ConcurrentHashMap.newKeySet();
  private final Map<String, Integer> arrivals = new ConcurrentHashMap<>();
  private final Map<String, Integer> refusals = new ConcurrentHashMap<>();
  private final LongAdder duplicates = new LongAdder();
  private final Set<String> quietOrders = ConcurrentHashMap.newKeySet();
  private final Latencies quietTimes = new Latencies();
  private final Latencies all = new Latencies();
  private volatile boolean isQuiet = true;

  /** Whether the orders from now on are placed while nothing special is going on. */
  public void quiet(boolean isQuiet) {
    this.isQuiet = isQuiet;
  }

  public void orderCommitted(String orderId) {
    commitNanos.put(orderId, System.nanoTime());
    if (isQuiet) {
      quietOrders.add(orderId);
    }
  }

  public void orderRolledBack(String orderId) {
    rolledBack.add(orderId);
  }

  /** A listener took the event, which had reached it at this time. */
  public void delivered(EventEnvelope event, long arrivedNanos) {
    if (arrivals.merge(event.eventId(), 1, Integer::sum) > 1) {
      duplicates.increment();
    }
    String orderId = Objects.requireNonNull(event.aggregateId(), "every event has its order");
    Long committed = commitNanos.get(orderId);
    if (committed == null) {
      return;
    }
    all.add(arrivedNanos - committed);
    if (quietOrders.contains(orderId) && refusals(event.eventId()) == 0) {
      quietTimes.add(arrivedNanos - committed);
    }
  }

  public void refused(EventEnvelope event) {
    refusals.merge(event.eventId(), 1, Integer::sum);
  }

  public int refusals(String eventId) {
    return refusals.getOrDefault(eventId, 0);
  }

  public boolean hasArrived(String eventId) {
    return arrivals.containsKey(eventId);
  }

  public int committedOrders() {
    return commitNanos.size();
  }

  public int rolledBackOrders() {
    return rolledBack.size();
  }

  public long deliveries() {
    return arrivals.size() + duplicates.sum();
  }

  public long duplicates() {
    return duplicates.sum();
  }

  public int refusedEvents() {
    return refusals.size();
  }

  /** Of the events that arrived last. */
  public Percentiles recentLatency() {
    return all.last(100);
  }

  /** Of events written in quiet times and delivered at the first try. */
  public Percentiles quietLatency() {
    return quietTimes.all();
  }

  public Percentiles latency() {
    return all.all();
  }

  Set<String> arrivedEvents() {
    return arrivals.keySet();
  }

  boolean isRolledBack(String orderId) {
    return rolledBack.contains(orderId);
  }
}
