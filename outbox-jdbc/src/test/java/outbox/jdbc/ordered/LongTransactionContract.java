package outbox.jdbc.ordered;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A transaction that took its numbers early and commits late. */
@Timeout(300)
abstract class LongTransactionContract extends OrderedProcesses {

  private static final Duration SOON = Duration.ofSeconds(1);

  private final CountDownLatch written = new CountDownLatch(1);
  private final CountDownLatch mayCommit = new CountDownLatch(1);
  private volatile long committing;

  @Test
  void openTransactionHoldsUpNobodyElse() throws Exception {
    keepOpenFor(Duration.ofSeconds(5));
  }

  @Test
  @Tag("faults")
  void transactionThatIsOpenForLongHoldsUpNobodyElse() throws Exception {
    keepOpenFor(Duration.ofSeconds(30));
  }

  private void keepOpenFor(Duration open) throws Exception {
    List<String> keys = Aggregates.keys(20);
    List<String> lateKeys = List.of("a18", "a19");
    Aggregates aggregates = Aggregates.create(outbox, keys);
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try (Cluster cluster = cluster(settings().lease(Duration.ofSeconds(30)))) {
      cluster.start(2);
      aggregates.write(keys, 1, () -> true);
      awaitThat(() -> tables.pending() == 0);
      Future<?> late = thread.submit(() -> aggregates.write(lateKeys, 2, this::commitsLate));
      written.await();

      List<Duration> latencies = deliverOthers(aggregates, keys.subList(0, 18), open);
      assertThat(history().succeeded("a19")).containsExactly(1);
      mayCommit.countDown();
      late.get(1, TimeUnit.MINUTES);
      aggregates.write(lateKeys, 1, () -> true);
      awaitThat(() -> tables.pending() == 0);

      Collections.sort(latencies);
      assertThat(latencies.get(latencies.size() / 2)).isLessThan(SOON);
    } finally {
      thread.shutdownNow();
    }
    judge(aggregates);
    assertThat(history().of("a19").stream().skip(2))
        .allSatisfy(line -> assertThat(line.call().nanos()).isGreaterThan(committing));
  }

  private boolean commitsLate() {
    written.countDown();
    try {
      mayCommit.await();
    } catch (InterruptedException e) {
      return false;
    }
    committing = System.nanoTime();
    return true;
  }

  /** One event after the other, each as soon as the one before was delivered. */
  private List<Duration> deliverOthers(Aggregates aggregates, List<String> keys, Duration duration)
      throws Exception {
    List<Duration> latencies = new ArrayList<>();
    long end = System.nanoTime() + duration.toNanos();
    for (int i = 0; System.nanoTime() - end < 0; i++) {
      String key = keys.get(i % keys.size());
      long start = System.nanoTime();
      aggregates.write(key, 1);
      int version = i / keys.size() + 2;
      awaitThat(() -> history().succeeded(key).contains(version));
      latencies.add(Duration.ofNanos(System.nanoTime() - start));
    }
    return latencies;
  }
}
