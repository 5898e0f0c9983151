package outbox.jdbc.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.Outbox;
import outbox.OutboxStatus;
import outbox.RelayBuilder;
import outbox.dispatch.CompletionMode;
import outbox.model.EventDetails;
import outbox.model.EventStatus;
import outbox.spi.EventFilter;
import outbox.testing.databases.Database;

/** An outbox as most users meet it: built in one go on a DataSource. */
abstract class OutboxOnDatabaseContract {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final List<String> delivered = new CopyOnWriteArrayList<>();

  abstract Database server();

  @Test
  void singleNodeDeliversWhatWasWrittenBeforeAndAfterItsStart() throws Exception {
    try (Database fresh = server().fresh();
        Outbox outbox = outbox(Outbox.singleNode(), database(fresh))) {
      JdbcDatabase database = database(fresh);
      try (Outbox writer = Outbox.writerOnly().database(database).build()) {
        write(database, writer, "before");
        outbox.start();
        write(database, writer, "after");
        awaitDelivered("before", "after");
      }
      assertThat(outbox.status().state()).isEqualTo(OutboxStatus.State.STARTED);
    }
  }

  @Test
  void nodesShareATableAndDeliverEachEventOnce() throws Exception {
    try (Database fresh = server().fresh()) {
      JdbcDatabase one = database(fresh);
      JdbcDatabase two = database(fresh);
      try (Outbox first = outbox(Outbox.multiNode().nodeId("one"), one);
          Outbox second = outbox(Outbox.multiNode().nodeId("two"), two)) {
        first.start();
        second.start();
        for (int i = 0; i < 200; i++) {
          write(one, first, "one-" + i);
          write(two, second, "two-" + i);
        }
        await().atMost(PATIENCE).until(() -> delivered.size() >= 400);
        await().atMost(PATIENCE).until(() -> first.status().inFlight() == 0);
        await().atMost(PATIENCE).until(() -> second.status().inFlight() == 0);
      }
    }
    assertThat(delivered).doesNotHaveDuplicates().hasSize(400);
  }

  /** Clocks that drift apart may cost an event a header, but that is the exception. */
  @Test
  void timesOfPlainEventsNeedNoHeader() throws Exception {
    try (Database fresh = server().fresh()) {
      JdbcDatabase database = database(fresh);
      try (Outbox writer = Outbox.writerOnly().database(database).build()) {
        List<EventDetails> rows = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
          rows.addAll(find(database, write(database, writer, "plain-" + i)));
        }
        assertThat(rows)
            .filteredOn(row -> row.event().headersJson() == null)
            .hasSizeGreaterThan(40);
      }
    }
  }

  @Test
  void deliveredEventsAreDeletedWhereNoHistoryIsKept() throws Exception {
    try (Database fresh = server().fresh()) {
      JdbcDatabase database = database(fresh);
      try (Outbox outbox =
          outbox(
              Outbox.multiNode().dispatcher(settings -> settings.completion(CompletionMode.DELETE)),
              database)) {
        outbox.start();
        String eventId = write(database, outbox, "gone");
        awaitDelivered("gone");
        await().atMost(PATIENCE).until(() -> find(database, eventId).isEmpty());
      }
    }
  }

  @Test
  void twoTablesOfOneDatabaseAreWrittenInOneTransaction() throws Exception {
    try (Database fresh = server().fresh()) {
      JdbcDatabase orders = database(fresh);
      JdbcDatabase billing = orders.withTable("billing_outbox").createTable();
      try (Outbox first = outbox(Outbox.singleNode(), orders);
          Outbox second = outbox(Outbox.singleNode(), billing)) {
        first.start();
        second.start();
        try (var tx = orders.begin()) {
          first.writer().write("T", "\"order\"");
          second.writer().write("T", "\"invoice\"");
          tx.commit();
        }
        awaitDelivered("order", "invoice");
      }
    }
  }

  @Test
  void filterLeavesOtherEventsToOthers() throws Exception {
    try (Database fresh = server().fresh()) {
      JdbcDatabase database = database(fresh);
      try (Outbox outbox =
          outbox(
              Outbox.multiNode()
                  .hotPath(false)
                  .filter(EventFilter.ALL.withTenantIds(Set.of("mine"))),
              database)) {
        outbox.start();
        String others = write(database, outbox, event("others", "theirs"));
        write(database, outbox, event("mine", "mine"));
        awaitDelivered("mine");
        EventDetails row = find(database, others).get(0);
        assertThat(row.status()).isEqualTo(EventStatus.NEW);
        assertThat(row.lockedBy()).isNull();
      }
    }
  }

  @Test
  void backlogIsDrained() throws Exception {
    try (Database fresh = server().fresh()) {
      JdbcDatabase database = database(fresh);
      try (Outbox outbox = outbox(Outbox.multiNode(), database)) {
        try (var tx = database.begin()) {
          outbox
              .writer()
              .writeAll(IntStream.range(0, 5000).mapToObj(i -> event("" + i, null)).toList());
          tx.commit();
        }
        outbox.start();
        await().atMost(PATIENCE).until(() -> delivered.size() >= 5000);
        await().atMost(PATIENCE).until(() -> outbox.status().inFlight() == 0);
      }
    }
    assertThat(delivered).doesNotHaveDuplicates().hasSize(5000);
  }

  private Outbox outbox(RelayBuilder<?> builder, JdbcDatabase database) {
    return builder
        .database(database)
        .listener("T", event -> delivered.add(event.payloadJson().replace("\"", "")))
        .build();
  }

  private static JdbcDatabase database(Database fresh) {
    return JdbcDatabase.of(fresh.pooled()).createTable();
  }

  private static String write(JdbcDatabase database, Outbox outbox, String text)
      throws SQLException {
    return write(database, outbox, event(text, null));
  }

  private static String write(JdbcDatabase database, Outbox outbox, EventEnvelope event)
      throws SQLException {
    try (var tx = database.begin()) {
      String eventId = outbox.writer().write(event);
      tx.commit();
      return eventId;
    }
  }

  private static EventEnvelope event(String text, String tenantId) {
    return EventEnvelope.builder("T").tenantId(tenantId).payloadJson('"' + text + '"').build();
  }

  private static List<EventDetails> find(JdbcDatabase database, String eventId)
      throws SQLException {
    try (var connection = database.connections().getConnection()) {
      return database.store().find(connection, eventId).stream().toList();
    }
  }

  private void awaitDelivered(String... texts) {
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(delivered).contains(texts));
  }
}
