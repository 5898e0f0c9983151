package outbox.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.model.EventKey;
import outbox.model.OutboxEvent;

/** Reading in order while others write, commit and roll back. */
abstract class OrderedWritersContract extends OrderedLeftoverContract {

  private static final int WRITERS = 4;
  private static final int TRANSACTIONS = 80;
  private static final int KEYS = 3;

  private final Set<String> committed = ConcurrentHashMap.newKeySet();
  private final Map<String, Integer> versions = new ConcurrentHashMap<>();

  @Test
  void readerMissesNothingAndMeetsEveryLockedAggregateInItsOrder() throws Exception {
    OrderedFollower follower = new OrderedFollower(after -> read(scan(after, 10_000)));
    List<OutboxEvent> followed = new ArrayList<>();
    // Of those who wait for the very first lock, a database may refuse one if it is rolled back.
    IntStream.range(0, KEYS).forEach(key -> writeLocked("key-" + key, true, 1));
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    try {
      List<Future<?>> writers =
          IntStream.range(0, WRITERS)
              .<Future<?>>mapToObj(i -> threads.submit(() -> write(new SplittableRandom(i))))
              .toList();
      while (!writers.stream().allMatch(Future::isDone)) {
        followed.addAll(follower.next());
      }
      for (Future<?> writer : writers) {
        writer.get();
      }
    } finally {
      threads.shutdownNow();
    }
    followed.addAll(follower.next());

    assertThat(new HashSet<>(StoreSession.ids(followed))).isEqualTo(committed);
    assertThat(followed).hasSameSizeAs(committed);
    byLockedAggregate(followed)
        .forEach(
            (aggregate, numbers) ->
                assertThat(numbers)
                    .as(aggregate)
                    .isEqualTo(IntStream.rangeClosed(1, numbers.size()).boxed().toList()));
  }

  private static Map<String, List<Integer>> byLockedAggregate(List<OutboxEvent> followed) {
    return followed.stream()
        .filter(event -> "Locked".equals(event.aggregateType()))
        .collect(
            Collectors.groupingBy(
                event -> String.valueOf(event.aggregateId()),
                Collectors.mapping(
                    event -> Integer.valueOf(event.payloadJson()), Collectors.toList())));
  }

  private void write(SplittableRandom random) {
    for (int i = 0; i < TRANSACTIONS; i++) {
      boolean commits = random.nextInt(5) > 0;
      String key = "key-" + random.nextInt(KEYS);
      if (random.nextBoolean()) {
        writeLocked(key, commits, 1 + random.nextInt(3));
      } else {
        writeEvents(Collections.nCopies(1 + random.nextInt(3), key), commits);
      }
    }
  }

  /** Whoever has the lock knows how many events of the aggregate there are. */
  private void writeLocked(String id, boolean commits, int count) {
    session.inTransaction(
        connection -> {
          ordered().lockKey(connection, new EventKey("Locked", id));
          int before = versions.getOrDefault(id, 0);
          List<EventEnvelope> events =
              IntStream.rangeClosed(before + 1, before + count)
                  .mapToObj(version -> locked(id, version))
                  .toList();
          events.forEach(event -> session.store().insertNew(connection, event));
          if (commits) {
            versions.put(id, before + count);
            events.forEach(event -> committed.add(event.eventId()));
            connection.commit();
          } else {
            connection.rollback();
          }
          return connection;
        });
  }

  private void writeEvents(List<String> ids, boolean commits) {
    session.inTransaction(
        connection -> {
          List<EventEnvelope> events = ids.stream().map(OrderedContract::order).toList();
          session.store().insertBatch(connection, events);
          if (commits) {
            events.forEach(event -> committed.add(event.eventId()));
            connection.commit();
          } else {
            connection.rollback();
          }
          return connection;
        });
  }

  private static EventEnvelope locked(String id, int version) {
    return EventEnvelope.builder("T")
        .aggregateType("Locked")
        .aggregateId(id)
        .payloadJson(String.valueOf(version))
        .build();
  }
}
