package outbox.jdbc.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import outbox.EventEnvelope;
import outbox.jdbc.schema.OutboxSchema;
import outbox.model.DeadFilter;
import outbox.model.DeadQuery;
import outbox.spi.EventFilter;
import outbox.spi.Fetch;
import outbox.spi.Fetched;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

/** Whoever takes a part of a table takes the right one, and leaves the rest to others. */
@ParameterizedClass
@MethodSource("servers")
class SharedTableTest {

  private static final int PART = 5;

  @Parameter Database server;

  private final Instant now = Clock.systemUTC().instant().plusSeconds(60);
  private Database database;
  private AbstractJdbcOutboxStore store;
  private Connection connection;
  private Connection other;

  static Stream<Database> servers() {
    return Stream.of(Databases.h2(), Databases.postgres(), Databases.mariaDb());
  }

  @BeforeEach
  void open() throws SQLException {
    database = server.fresh();
    OutboxSchema.detect(database.dataSource()).apply(database.dataSource());
    store = JdbcOutboxStores.detect(database.dataSource());
    connection = database.dataSource().getConnection();
    other = database.dataSource().getConnection();
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
    other.close();
    database.close();
  }

  @Test
  void newEventsDoNotStandBackBehindOlderOnesThatFellDueLater() {
    List<EventEnvelope> events = inserted(2);
    EventEnvelope retried = events.get(0);
    EventEnvelope fresh = events.get(1);
    store.markRetry(connection, retried.eventId(), now.minusSeconds(1), "e");

    assertThat(store.pollPending(connection, now, Duration.ZERO, 1))
        .extracting(row -> row.eventId())
        .containsExactly(fresh.eventId());
    assertThat(claim()).containsExactly(fresh.eventId());
    assertThat(claim()).containsExactly(retried.eventId());
  }

  @Test
  void fetchStartsAtTheDueTimeItIsGiven() {
    List<EventEnvelope> events = inserted(2);
    Instant later = now.minusSeconds(1).truncatedTo(ChronoUnit.MICROS);
    store.markRetry(connection, events.get(0).eventId(), later, "e");

    List<Fetched> fetched =
        store.fetch(connection, new Fetch(now, Duration.ZERO, 10, EventFilter.ALL, null, later));

    assertThat(fetched)
        .extracting(row -> row.event().eventId())
        .containsExactly(events.get(0).eventId());
  }

  @Test
  void pageOfDeadLettersLeavesTheOthersToOthers() throws SQLException {
    inserted(3 * PART).forEach(event -> store.markDead(connection, event.eventId(), "e"));
    DeadQuery page = DeadQuery.of(DeadFilter.all()).withLimit(PART);
    connection.setAutoCommit(false);

    assertThat(store.replayDead(connection, page).changed()).isEqualTo(PART);
    assertThat(store.replayDead(other, page).changed()).isEqualTo(PART);

    connection.commit();
    assertThat(store.countDead(other, null)).isEqualTo(PART);
  }

  private List<String> claim() {
    return store
        .claimPending(connection, "node-1", now, now.minusSeconds(300), Duration.ZERO, 1)
        .stream()
        .map(row -> row.eventId())
        .toList();
  }

  private List<EventEnvelope> inserted(int count) {
    List<EventEnvelope> events =
        IntStream.range(0, count).mapToObj(i -> EventEnvelope.ofJson("T", "{}")).toList();
    store.insertBatch(connection, events);
    return events;
  }
}
