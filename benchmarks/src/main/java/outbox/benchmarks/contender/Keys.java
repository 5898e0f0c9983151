package outbox.benchmarks.contender;

import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Which aggregate each event is of, and whether the events of each came in their order. */
final class Keys {

  private final AtomicLongArray last;
  private final LongAdder misplaced = new LongAdder();

  /** So many, or none. */
  Keys(int count) {
    last = new AtomicLongArray(count);
  }

  /** Mixed, so that some aggregates have several events in a row and others none for long. */
  @Nullable String of(long id) {
    return last.length() == 0 ? null : Integer.toString(number(id));
  }

  /** Events of one aggregate must come with growing numbers. */
  void delivered(long id, long sequence) {
    if (last.length() > 0 && last.getAndSet(number(id), sequence) >= sequence) {
      misplaced.increment();
    }
  }

  long misplaced() {
    return misplaced.sum();
  }

  private int number(long id) {
    return new SplittableRandom(id).nextInt(last.length());
  }
}
