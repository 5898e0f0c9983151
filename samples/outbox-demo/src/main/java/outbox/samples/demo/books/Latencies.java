package outbox.samples.demo.books;

import java.util.Arrays;

/** Keeps every measured latency. Safe for all threads. */
final class Latencies {

  private long[] nanos = new long[4096];
  private int size;

  synchronized void add(long latencyNanos) {
    if (size == nanos.length) {
      nanos = Arrays.copyOf(nanos, size * 2);
    }
    nanos[size++] = Math.max(0, latencyNanos);
  }

  Percentiles all() {
    return last(Integer.MAX_VALUE);
  }

  Percentiles last(int count) {
    return Percentiles.of(copyOfLast(count));
  }

  private synchronized long[] copyOfLast(int count) {
    return Arrays.copyOfRange(nanos, Math.max(0, size - count), size);
  }
}
