package outbox.jdbc.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
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

  @Test
  void replayComesBackToWhatSomebodyLockedInPassing() throws Exception {
    String first = insertDead().get(0).eventId();
    try (Connection passing = database.dataSource().getConnection()) {
      passing.setAutoCommit(false);
      execute(passing, "UPDATE outbox_event SET done_at = created_at - INTERVAL '1' HOUR");
      passing.commit();
      execute(
          passing, "SELECT 1 FROM outbox_event WHERE event_id = '%s' FOR UPDATE".formatted(first));

      BatchProgress end =
          manager()
              .replay(
                  DeadFilter.all(),
                  BatchOptions.defaults().reportingTo(progress -> rollBack(passing)));

      assertThat(end).isEqualTo(new BatchProgress(BatchProgress.State.COMPLETED, DEAD, DEAD, 0));
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Lets go of the row, when the first batch has passed over it. */
  private static void rollBack(Connection connection) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
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

  private List<EventEnvelope> insertDead() throws Exception {
    List<EventEnvelope> events =
        IntStream.range(0, DEAD).mapToObj(i -> EventEnvelope.ofJson("T", "{}")).toList();
    try (Connection connection = database.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      store.insertBatch(connection, events);
      events.forEach(event -> store.markDead(connection, event.eventId(), "e"));
      connection.commit();
    }
    return events;
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
