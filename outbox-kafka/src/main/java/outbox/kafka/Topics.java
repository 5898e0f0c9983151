package outbox.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;
import outbox.DeferException;
import outbox.util.DaemonThreadFactory;

/**
 * Lets parcels pass whose topic the producer knows. It asks the brokers for the others elsewhere,
 * because the producer waits for a topic that isn't there as long as it may: nobody else's events
 * wait with it. The parcels of one topic stay in their order.
 *
 * <p>So many can be asked for at once. With more of them missing, the others' parcels are put off
 * before they would wait as long as for brokers that are away.
 */
final class Topics {

  /** Each waits for one topic, and does nothing else. */
  static final int ASKERS = 32;

  /** Up to half as much again is added. */
  private static final int PUT_OFF_MILLIS = 5000;

  private final Producers producers;
  private final Failures failures;
  private final long blockNanos;
  private final Consumer<List<Parcel>> onwards;
  private final ExecutorService askers;
  private final Set<String> known = new HashSet<>();
  private final Map<String, List<Parcel>> asked = new HashMap<>();
  private final Map<String, Missing> missing = new HashMap<>();

  /** That a topic isn't there, for as long as one needn't ask again. */
  private record Missing(Throwable failure, long untilNanos) {

    boolean isOver() {
      return System.nanoTime() - untilNanos > 0;
    }
  }

  Topics(
      String name,
      Producers producers,
      Failures failures,
      Duration maxBlock,
      Consumer<List<Parcel>> onwards) {
    this.producers = producers;
    this.failures = failures;
    this.blockNanos = maxBlock.toNanos();
    this.onwards = onwards;
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            ASKERS,
            ASKERS,
            5,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            new DaemonThreadFactory(name + "-topics-"));
    pool.allowCoreThreadTimeOut(true);
    this.askers = pool;
  }

  synchronized boolean isKnown(String topic) {
    return known.contains(topic);
  }

  synchronized void forget(String topic) {
    known.remove(topic);
  }

  /** The topic was there, and isn't any more. */
  synchronized void miss(String topic, Throwable failure) {
    known.remove(topic);
    remember(topic, failure);
  }

  /** Takes the parcels over; under the lock, so that none passes another of its topic. */
  synchronized void admit(List<Parcel> parcels) {
    List<Parcel> ready = new ArrayList<>(parcels.size());
    for (Parcel parcel : parcels) {
      if (known.contains(parcel.topic())) {
        ready.add(parcel);
      } else {
        introduce(parcel);
      }
    }
    if (!ready.isEmpty()) {
      onwards.accept(ready);
    }
  }

  /** Lets the questions end that are under way, until the deadline. */
  void close(long deadlineNanos) throws InterruptedException {
    askers.shutdown();
    long left = Math.max(0, deadlineNanos - System.nanoTime());
    if (!askers.awaitTermination(left, TimeUnit.NANOSECONDS)) {
      askers.shutdownNow();
    }
  }

  private void introduce(Parcel parcel) {
    String topic = parcel.topic();
    Missing told = missing.get(topic);
    if (told != null && !told.isOver()) {
      parcel.failed(failures.of(parcel, told.failure));
      return;
    }
    List<Parcel> waiting = asked.get(topic);
    if (waiting != null) {
      waiting.add(parcel);
      return;
    }
    asked.put(topic, new ArrayList<>(List.of(parcel)));
    try {
      long since = System.nanoTime();
      askers.execute(() -> ask(topic, since));
    } catch (RejectedExecutionException e) {
      answer(topic, e);
    }
  }

  private void ask(String topic, long since) {
    if (System.nanoTime() - since > blockNanos / 4 * 3) { // all askers were waiting in vain
      answer(topic, putOff(topic));
      return;
    }
    try {
      Producer<byte[], byte[]> producer = producers.current();
      try {
        producer.partitionsFor(topic);
      } catch (RuntimeException e) {
        producers.replaceIfBroken(producer, e);
        throw e;
      }
      answer(topic, null);
    } catch (Throwable e) { // whatever it is, those who wait need an answer
      answer(topic, e);
    }
  }

  private static DeferException putOff(String topic) {
    int more = ThreadLocalRandom.current().nextInt(PUT_OFF_MILLIS / 2);
    return new DeferException(
        Duration.ofMillis(PUT_OFF_MILLIS + more),
        "topic %s could not be asked for in time behind others that Kafka keeps waiting; the event comes again"
            .formatted(topic));
  }

  private synchronized void answer(String topic, @Nullable Throwable failure) {
    List<Parcel> waiting = asked.remove(topic);
    missing.remove(topic);
    if (waiting == null) {
      return;
    }
    if (failure == null) {
      known.add(topic);
      onwards.accept(waiting);
      return;
    }
    if (Failures.isMissingTopic(failure)) {
      remember(topic, failure);
    }
    waiting.forEach(parcel -> parcel.failed(failures.of(parcel, failure)));
  }

  private void remember(String topic, Throwable failure) {
    missing.values().removeIf(Missing::isOver); // names may be as many as events
    missing.put(topic, new Missing(failure, System.nanoTime() + blockNanos));
  }
}
