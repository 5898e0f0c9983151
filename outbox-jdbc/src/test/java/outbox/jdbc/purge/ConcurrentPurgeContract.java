package outbox.jdbc.purge;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.jdbc.JdbcTemplate;
import outbox.jdbc.schema.OutboxSchema;
import outbox.jdbc.store.AbstractJdbcOutboxStore;
import outbox.jdbc.store.JdbcOutboxStores;
import outbox.spi.EventArchiver;
import outbox.spi.PurgeRequest;
import outbox.spi.PurgeRequest.Scope;
import outbox.testing.databases.Database;

/** Several nodes purge one table while events are written: no deadlock, no row counted twice. */
abstract class ConcurrentPurgeContract {

  private static final int OLD = 3000;
  private static final int BATCH = 50;

  private Database database;
  private AbstractJdbcOutboxStore store;

  abstract Database server();

  abstract AbstractJdbcEventPurger purger();

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
  void purgersShareTheWorkWhileEventsComeAndGo() throws Exception {
    Instant before = Clock.systemUTC().instant().minus(Duration.ofDays(7));
    insertOld();
    List<Callable<Integer>> work = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      work.add(() -> purgeAll(connection -> purger().purge(connection, before, BATCH)));
    }
    IntStream.range(0, 2).forEach(i -> work.add(this::writeAndComplete));

    assertThat(runAll(work)).isEqualTo(OLD);
  }

  @Test
  void severalPurgersArchiveEveryEventOnce() throws Exception {
    Instant before = Clock.systemUTC().instant().minus(Duration.ofDays(7));
    insertOld();
    Collection<String> archived = new ConcurrentLinkedQueue<>();
    EventArchiver archiver =
        events -> events.forEach(event -> archived.add(event.event().eventId()));
    List<Callable<Integer>> work = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      for (Scope scope : List.of(Scope.DONE, Scope.DEAD)) {
        work.add(
            () ->
                purgeAll(
                    connection ->
                        purger()
                            .purge(connection, new PurgeRequest(scope, before, BATCH, archiver))));
      }
    }
    work.add(this::writeAndComplete);

    assertThat(runAll(work)).isEqualTo(OLD);

    assertThat(archived).hasSize(OLD).doesNotHaveDuplicates();
  }

  private static int runAll(List<Callable<Integer>> work) throws Exception {
    int sum = 0;
    ExecutorService nodes = Executors.newFixedThreadPool(work.size());
    try {
      for (Future<Integer> result : nodes.invokeAll(work)) {
        sum += result.get();
      }
    } finally {
      nodes.shutdownNow();
    }
    return sum;
  }

  private interface Batch {
    int purge(Connection connection);
  }

  private int purgeAll(Batch batch) throws Exception {
    int total = 0;
    try (Connection connection = database.dataSource().getConnection()) {
      for (int empty = 0; empty < 3; ) {
        int purged = batch.purge(connection);
        empty = purged == 0 ? empty + 1 : 0;
        total += purged;
      }
    }
    return total;
  }

  private int writeAndComplete() throws Exception {
    try (Connection connection = database.dataSource().getConnection()) {
      for (int i = 0; i < 200; i++) {
        EventEnvelope event = EventEnvelope.ofJson("T", "{}");
        store.insertNew(connection, event);
        store.markDone(connection, event.eventId());
      }
    }
    return 0;
  }

  private void insertOld() throws Exception {
    try (Connection connection = database.dataSource().getConnection()) {
      List<EventEnvelope> events =
          IntStream.range(0, OLD).mapToObj(i -> EventEnvelope.ofJson("T", "{}")).toList();
      connection.setAutoCommit(false);
      store.insertBatch(connection, events);
      JdbcTemplate.update(
          connection,
          "UPDATE outbox_event SET status = 1, created_at = ?, done_at = ?",
          Clock.systemUTC().instant().minus(Duration.ofDays(8)),
          Clock.systemUTC().instant().minus(Duration.ofDays(8)));
      for (EventEnvelope event : events.subList(0, OLD / 3)) {
        JdbcTemplate.update(
            connection, "UPDATE outbox_event SET status = 3 WHERE event_id = ?", event.eventId());
      }
      connection.commit();
    }
  }
}
