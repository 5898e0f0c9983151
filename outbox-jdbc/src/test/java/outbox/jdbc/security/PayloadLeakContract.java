package outbox.jdbc.security;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import outbox.EventEnvelope;
import outbox.Outbox;
import outbox.OutboxWriter;
import outbox.WriterHook;
import outbox.dead.BatchOptions;
import outbox.jdbc.database.JdbcDatabase;
import outbox.jdbc.tx.JdbcTransactionManager.Transaction;
import outbox.model.DeadFilter;
import outbox.model.DeadQuery;
import outbox.poller.OutboxPoller;
import outbox.purge.JsonLinesArchiver;
import outbox.purge.OutboxPurgeScheduler;
import outbox.spi.EventRow;
import outbox.testing.databases.Database;
import outbox.util.JsonCodec;

/**
 * A secret is written in payloads and headers, and everything goes wrong that can. It must be in no
 * log at any level, in no metric, in no last error and in no exception, whoever quotes it; in the
 * table, in an archive and in the listeners' hands it is.
 */
abstract class PayloadLeakContract {

  private static final String SECRET = "4111-1111-1111-1111/Jane-Doe";
  private static final String HEADER_SECRET = "Bearer-eyJhbGciOiJIUzI1NiJ9";
  private static final String JSON = "{\"card\":\"" + SECRET + "\"}";
  private static final Duration LONG = Duration.ofMinutes(5);

  private final Overheard overheard = new Overheard();

  private Database database;
  private JdbcDatabase jdbc;

  abstract Database server();

  @BeforeEach
  void create() {
    database = server().fresh();
    jdbc = JdbcDatabase.of(database.pooled()).createTable();
  }

  @AfterEach
  void assertNothingLeaked() throws SQLException {
    try {
      lastErrors().forEach(overheard::add);
      String bytes = Base64.getEncoder().encodeToString(binary());
      for (String secret : List.of(SECRET, HEADER_SECRET, bytes.substring(8, 40))) {
        overheard.assertNeverHeard(secret);
      }
    } finally {
      overheard.close();
      database.close();
    }
  }

  /** Not UTF-8, as what serializers make rarely is. */
  private static byte[] binary() {
    return ("\u00ff\u00fe\u0000" + SECRET + "\u0080").getBytes(ISO_8859_1);
  }

  private static EventEnvelope.Builder event(String type) {
    return EventEnvelope.builder(type)
        .aggregateType("Order")
        .aggregateId("order-" + type)
        .header("authorization", HEADER_SECRET);
  }

  private List<String> lastErrors() throws SQLException {
    return query("SELECT last_error FROM outbox_event WHERE last_error IS NOT NULL");
  }

  private List<String> query(String sql) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      Stream.Builder<String> values = Stream.builder();
      while (result.next()) {
        values.add(result.getString(1));
      }
      return values.build().toList();
    }
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private void write(OutboxWriter writer, EventEnvelope... events) throws SQLException {
    try (Transaction transaction = jdbc.begin()) {
      writer.writeAll(List.of(events));
      transaction.commit();
    }
  }

  private void awaitEnded(int dead) {
    await()
        .atMost(Duration.ofMinutes(1))
        .until(
            () ->
                query("SELECT event_id FROM outbox_event WHERE status IN (0, 2)").isEmpty()
                    && query("SELECT event_id FROM outbox_event WHERE status = 3").size() == dead);
  }

  private static EventEnvelope[] allKinds() {
    return Stream.of("Good", "Quotes", "Error", "Async", "Batch", "Unroutable")
        .flatMap(
            type ->
                Stream.of(
                    event(type).payloadJson(JSON).build(),
                    event(type).payloadBytes(binary()).build()))
        .toArray(EventEnvelope[]::new);
  }

  @Test
  void failingDeliveriesTellNothing() throws SQLException {
    Outbox outbox =
        Quoting.failing(Outbox.multiNode())
            .database(jdbc)
            .metrics(ToldMetrics.to(overheard))
            .poller(poller -> poller.intervalMs(50))
            .build();
    try (outbox) {
      outbox.start();
      write(outbox.writer(), allKinds());
      awaitEnded(10);

      overheard.add(outbox.dead().page(DeadQuery.of(DeadFilter.all())));
      overheard.add(outbox.dead().query(null, null, 100));
      outbox.dead().replay(DeadFilter.all(), BatchOptions.defaults());
      awaitEnded(10);
      outbox.dead().discard(DeadFilter.all(), "enough", BatchOptions.defaults());
    }
    lastErrors().forEach(overheard::add);
    overheard.assertHeard("event is DEAD");
    overheard.assertHeard("interceptor failed");
    overheard.assertHeard("Source: (String)");
    overheard.assertHeard("discarded: enough; died of");
    assertMetricsHeard();
    overheard.assertHeard("metric recordOldestLagMs");
  }

  private void assertMetricsHeard() {
    Stream.of("incrementDispatchSuccess", "incrementDispatchFailure", "incrementDispatchDead")
        .forEach(metric -> overheard.assertHeard("metric " + metric));
  }

  @Test
  void failingDeliveriesInOrderTellNothing() throws SQLException {
    Outbox outbox =
        Quoting.failing(Outbox.ordered()).database(jdbc).metrics(ToldMetrics.to(overheard)).build();
    try (outbox) {
      outbox.start();
      write(outbox.writer(), allKinds());
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> query("SELECT event_id FROM outbox_event WHERE status = 3").size() == 5);
      overheard.add(outbox.blockedKeys().list(100));
    }
    overheard.assertHeard("event is DEAD");
    overheard.assertHeard("BlockedKey");
    assertMetricsHeard();
  }

  @Test
  void failingHooksTellNothing() throws SQLException {
    WriterHook hook =
        new WriterHook() {
          @Override
          public void afterWrite(List<EventEnvelope> events) {
            throw Quoting.failure(events.get(0));
          }

          @Override
          public void afterCommit(List<EventEnvelope> events) {
            throw Quoting.failure(events.get(events.size() - 1));
          }

          @Override
          public void afterRollback(List<EventEnvelope> events) {
            throw new AssertionError(Quoting.quoted(events.get(0)));
          }
        };
    OutboxWriter writer = new OutboxWriter(jdbc.transactions(), jdbc.store(), hook);
    write(writer, allKinds());
    try (Transaction transaction = jdbc.begin()) {
      writer.write(event("Good").payloadJson(JSON).build());
      transaction.rollback();
    }
    overheard.assertHeard("writer hook failed in afterWrite");
    overheard.assertHeard("writer hook failed in afterCommit");
    overheard.assertHeard("writer hook failed in afterRollback");
  }

  @Test
  void rowsThatCannotBeReadTellNothing() throws SQLException {
    OutboxWriter writer = new OutboxWriter(jdbc.transactions(), jdbc.store());
    write(
        writer,
        event("Nested").eventId("nested").payloadJson(JSON).build(),
        event("Encoded").eventId("encoded").payloadJson(JSON).build(),
        event("Long").eventId("long").payloadJson(JSON).build());
    execute(
        "UPDATE outbox_event SET headers = '{\"a\":{\"b\":\"%s\"}}' WHERE event_id = 'nested'"
            .formatted(HEADER_SECRET));
    execute(
        "UPDATE outbox_event SET headers = '{\"outbox-encoding\":\"base64\",\"a\":\"%s\"}' WHERE event_id = 'encoded'"
            .formatted(HEADER_SECRET));
    poller(JsonCodec.getDefault()).poll();
    overheard.assertHeard("event can't be read and becomes DEAD");

    execute("UPDATE outbox_event SET status = 0, locked_by = NULL");
    poller(Quoting.telling()).poll();
    overheard.assertHeard("codec failed at [payload]");
  }

  private OutboxPoller poller(JsonCodec codec) {
    return OutboxPoller.builder()
        .connectionProvider(jdbc.connections())
        .outboxStore(jdbc.store())
        .jsonCodec(codec)
        .metrics(ToldMetrics.to(overheard))
        .claimLocking("node", LONG)
        .handler(
            (event, attempts) -> {
              throw Quoting.failure(event);
            })
        .build();
  }

  @Test
  void failingHandlersOfPollersTellNothing() throws SQLException {
    OutboxWriter writer = new OutboxWriter(jdbc.transactions(), jdbc.store());
    write(writer, event("Good").payloadBytes(binary()).build());
    poller(JsonCodec.getDefault()).poll();
    overheard.assertHeard("poller handler failed");
    overheard.assertHeard("metric recordOldestLagMs");
  }

  @Test
  void databaseThatRefusesRowsTellsNothing() throws SQLException {
    execute("ALTER TABLE outbox_event ADD CONSTRAINT good CHECK (event_type <> 'Bad')");
    OutboxWriter writer = new OutboxWriter(jdbc.transactions(), jdbc.store());
    EventEnvelope good = event("Good").eventId("good").payloadJson(JSON).build();
    EventEnvelope bad = event("Bad").payloadJson(JSON).build();
    write(writer, good);
    overheard.throwing(() -> write(writer, good));
    overheard.throwing(() -> write(writer, bad));
    overheard.throwing(() -> write(writer, event("Good").payloadJson(JSON).build(), bad));
    overheard.throwing(() -> write(writer, event("Good").payloadJson(JSON).build(), good));
    execute("ALTER TABLE outbox_event DROP COLUMN payload");
    execute("ALTER TABLE outbox_event ADD COLUMN payload VARCHAR(10)");
    overheard.throwing(() -> write(writer, event("Good").payloadJson(JSON).build()));
    overheard.throwing(() -> write(writer, allKinds()));
    overheard.assertHeard("could not insert event good");
    overheard.assertHeard("could not insert 12 events");
  }

  @Test
  void statusesThatCannotBeWrittenTellNothing() throws SQLException {
    execute("ALTER TABLE outbox_event ADD CONSTRAINT alive CHECK (status <> 3)");
    execute("ALTER TABLE outbox_event ADD CONSTRAINT no_try CHECK (attempts < 1)");
    Outbox outbox =
        Quoting.failing(Outbox.multiNode())
            .database(jdbc)
            .metrics(ToldMetrics.to(overheard))
            .dispatcher(d -> Quoting.failing(d).drainTimeoutMs(200))
            .build();
    try (outbox) {
      outbox.start();
      write(outbox.writer(), event("Quotes").payloadJson(JSON).build());
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(() -> overheard.assertHeard("status could not be written"));
    }
  }

  @Test
  void archiveHasItAndItsFailuresTellNothing(@TempDir Path folder) throws Exception {
    OutboxWriter writer = new OutboxWriter(jdbc.transactions(), jdbc.store());
    write(writer, event("Good").eventId("good").payloadJson(JSON).build());
    execute("UPDATE outbox_event SET status = 1, done_at = created_at");
    OutboxPurgeScheduler.Builder purge =
        OutboxPurgeScheduler.builder()
            .connectionProvider(jdbc.connections())
            .purger(jdbc.purger())
            .retention(Duration.ZERO);

    purge
        .archiver(
            events -> {
              throw new IOException("no room for " + events.get(0).event().payloadJson());
            })
        .build()
        .runOnce();
    overheard.assertHeard("no room for [payload]");
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> purged(purge.archiver(new JsonLinesArchiver(folder)).build()));

    try (Stream<Path> files = Files.list(folder);
        InputStream in = new GZIPInputStream(Files.newInputStream(files.findFirst().get()))) {
      assertThat(new String(in.readAllBytes(), ISO_8859_1)).contains(SECRET);
    }
  }

  private boolean purged(OutboxPurgeScheduler purge) throws SQLException {
    purge.runOnce();
    return query("SELECT event_id FROM outbox_event").isEmpty();
  }

  @Test
  void valuesTellNothingOfThemselves() throws SQLException {
    EventEnvelope event = event("Good").payloadJson(JSON).build();
    write(new OutboxWriter(jdbc.transactions(), jdbc.store()), event);
    overheard.add(event);
    overheard.add(EventRow.encode(event, JsonCodec.getDefault(), event.occurredAt()));
    try (Connection connection = database.dataSource().getConnection()) {
      overheard.add(jdbc.store().find(connection, event.eventId()));
      overheard.add(
          jdbc.store().pollPending(connection, event.occurredAt().plus(LONG), Duration.ZERO, 10));
    }
    overheard.assertHeard(event.eventId());
  }
}
