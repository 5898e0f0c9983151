package outbox.jdbc.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.dead.BatchOptions;
import outbox.dead.BatchProgress;
import outbox.dead.DeadEventManager;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.jdbc.schema.OutboxSchema;
import outbox.model.DeadFilter;
import outbox.model.OutboxEvent;
import outbox.testing.databases.Database;

/** Several operators at one table: no deadlock, and no death is answered by two of them. */
abstract class ConcurrentReplayContract {

  private static final int DEAD = 600;

  private Database database;
  private AbstractJdbcOutboxStore store;

  abstract Database server();

  @BeforeEach
  void createTable() {
    database = server().fresh();
    OutboxSchema.detect(database.dataSource()).apply(database.dataSource());
    store = JdbcOutboxStores.detect(database.dataSource());
  }

  @AfterEach
  void dropDatabase() {
    database.close();
  }

  @Test
  void operatorsShareWhatIsDeadWhileEventsDieAgain() throws Exception {
    insertDead();
    DeadFilter deadNow = DeadFilter.all().withDied(null, now().plus(1, ChronoUnit.MICROS));
    BatchOptions options = BatchOptions.defaults().withBatchSize(20);
    AtomicInteger busy = new AtomicInteger(4);
    List<Callable<Integer>> work = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      work.add(() -> changed(busy, manager().replay(deadNow, options)));
      work.add(() -> changed(busy, manager().discard(deadNow, "test", options)));
    }
    work.add(() -> buryUntilDone(busy));

    assertThat(runAll(work)).isEqualTo(DEAD);
  }

  private DeadEventManager manager() {
    return new DeadEventManager(new DataSourceConnectionProvider(database.pooled()), store);
  }

  private static int changed(AtomicInteger busy, BatchProgress end) {
    busy.decrementAndGet();
    assertThat(end.state()).isEqualTo(BatchProgress.State.COMPLETED);
    return end.changed();
  }

  private int buryUntilDone(AtomicInteger busy) throws Exception {
    try (Connection connection = database.dataSource().getConnection()) {
      while (busy.get() > 0) {
        Instant soon = now().plusSeconds(60);
        for (OutboxEvent event : store.pollPending(connection, soon, Duration.ZERO, 50)) {
          store.markDead(connection, event.eventId(), "again");
        }
      }
    }
    return 0;
  }

  private Instant now() {
    return store.clock().instant();
  }

  private void insertDead() throws Exception {
    List<EventEnvelope> events =
        IntStream.range(0, DEAD).mapToObj(i -> EventEnvelope.ofJson("T", "{}")).toList();
    try (Connection connection = database.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      store.insertBatch(connection, events);
      events.forEach(event -> store.markDead(connection, event.eventId(), "e"));
      connection.commit();
    }
  }

  private static int runAll(List<Callable<Integer>> work) throws Exception {
    int sum = 0;
    ExecutorService threads = Executors.newFixedThreadPool(work.size());
    try {
      for (Future<Integer> result : threads.invokeAll(work)) {
        sum += result.get();
      }
    } finally {
      threads.shutdownNow();
    }
    return sum;
  }
}
