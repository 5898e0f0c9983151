package outbox.benchmarks.measurement;

import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLongArray;

/** When each event was committed and when it was delivered, by its number. */
final class Latencies {

  /** What is left of the latencies of one trial, in milliseconds. */
  record Percentiles(double p50, double p99, long events) {
    @Override
    public String toString() {
      return String.format(Locale.ROOT, "p50 %.3f ms, p99 %.3f ms of %d", p50, p99, events);
    }
  }

  private static final long NEVER = Long.MIN_VALUE;

  private final AtomicLongArray committed;
  private final AtomicLongArray delivered;

  Latencies(int events) {
    committed = never(events);
    delivered = never(events);
  }

  void committed(long id, long nanos) {
    if (id < committed.length()) {
      committed.set((int) id, nanos);
    }
  }

  void delivered(long id, long nanos) {
    if (id < delivered.length()) {
      delivered.compareAndSet((int) id, NEVER, nanos);
    }
  }

  /** Of the events from {@code first} on; a listener may be called before the commit returns. */
  Percentiles percentiles(int first) {
    long[] nanos = new long[committed.length()];
    int count = 0;
    for (int id = first; id < nanos.length; id++) {
      if (committed.get(id) != NEVER && delivered.get(id) != NEVER) {
        nanos[count++] = Math.max(0, delivered.get(id) - committed.get(id));
      }
    }
    if (count == 0) {
      throw new IllegalStateException("no event was delivered");
    }
    long[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    return new Percentiles(at(sorted, 0.50), at(sorted, 0.99), count);
  }

  private static double at(long[] sorted, double part) {
    return sorted[(int) Math.min(sorted.length - 1, Math.ceil(sorted.length * part))] / 1e6;
  }

  private static AtomicLongArray never(int events) {
    AtomicLongArray times = new AtomicLongArray(events);
    for (int i = 0; i < events; i++) {
      times.set(i, NEVER);
    }
    return times;
  }
}
