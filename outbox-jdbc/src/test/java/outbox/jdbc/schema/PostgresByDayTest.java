package outbox.jdbc.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.jdbc.JdbcTemplate;
import outbox.jdbc.OutboxStoreException;
import outbox.jdbc.PartitionedTable;
import outbox.jdbc.store.AbstractJdbcOutboxStore;
import outbox.jdbc.store.PostgresOutboxStore;
import outbox.model.OutboxEvent;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

/** Days are dropped when all their events are DONE, and not before. */
class PostgresByDayTest {

  private static final LocalDate DAY = LocalDate.parse("2024-03-10");

  private Database database;
  private Connection connection;

  @BeforeEach
  void createTable() throws SQLException {
    database = Databases.postgres().fresh();
    PartitionedTable.create(database.dataSource());
    PartitionedTable.create(database.dataSource());
    connection = database.dataSource().getConnection();
    for (int i = 0; i < 3; i++) {
      addDay(DAY.plusDays(i));
      addDay(DAY.plusDays(i));
    }
  }

  @AfterEach
  void dropDatabase() throws SQLException {
    connection.close();
    database.close();
  }

  @Test
  void everyDayHasItsPartition() {
    insert(DAY, 2);
    insert(DAY.plusDays(1), 3);
    insert(DAY.plusDays(7), 1);

    assertThat(rowsOf("outbox_event_20240310")).isEqualTo(2);
    assertThat(rowsOf("outbox_event_20240311")).isEqualTo(3);
    assertThat(rowsOf("outbox_event_other")).isEqualTo(1);
  }

  @Test
  void boundsOfADayAreInUtcWhateverTheTimeZoneOfTheSession() throws SQLException {
    JdbcTemplate.query(connection, "SELECT set_config('TimeZone', 'Asia/Kolkata', false)", r -> 0);
    addDay(DAY.plusDays(3));
    store(DAY.plusDays(3).atStartOfDay().toInstant(ZoneOffset.UTC))
        .insertNew(connection, EventEnvelope.ofJson("T", "{}"));
    store(DAY.plusDays(4).atStartOfDay().toInstant(ZoneOffset.UTC).minusNanos(1000))
        .insertNew(connection, EventEnvelope.ofJson("T", "{}"));

    assertThat(rowsOf("outbox_event_20240313")).isEqualTo(2);
  }

  @Test
  void eventsAreClaimedAcrossDaysOldestFirstAndCompleted() {
    List<String> later = insert(DAY.plusDays(1), 2);
    List<String> earlier = insert(DAY, 2);
    List<String> unprepared = insert(DAY.plusDays(9), 1);

    List<String> claimed = claim(DAY.plusDays(10), 10).stream().map(OutboxEvent::eventId).toList();

    assertThat(claimed).startsWith(earlier.get(0), earlier.get(1), later.get(0), later.get(1));
    assertThat(claimed).endsWith(unprepared.get(0)).hasSize(5);
    assertThat(claim(DAY.plusDays(10), 10)).isEmpty();
    assertThat(claimed)
        .allSatisfy(
            id -> assertThat(store(DAY.plusDays(10)).markDone(connection, id)).isEqualTo(1));
  }

  @Test
  void dayIsDroppedWhenAllItsEventsAreDone() {
    List<String> events = insert(DAY, 3);
    List<String> others = insert(DAY.plusDays(1), 1);
    events.forEach(id -> store(DAY).markDone(connection, id));

    assertThat(dropDay(DAY)).isTrue();

    assertThat(partitions()).doesNotContain("outbox_event_20240310");
    assertThat(events).allSatisfy(id -> assertThat(store(DAY).find(connection, id)).isEmpty());
    assertThat(store(DAY).find(connection, others.get(0))).isPresent();
    assertThat(dropDay(DAY)).isFalse();
  }

  @Test
  void pendingAndDeadEventsKeepTheirDay() {
    List<String> events = insert(DAY, 3);
    store(DAY).markDone(connection, events.get(0));

    assertThat(dropDay(DAY)).isFalse();

    store(DAY).markRetry(connection, events.get(1), at(DAY), "e");
    store(DAY).markDead(connection, events.get(2), "e");
    assertThat(dropDay(DAY)).isFalse();

    store(DAY).markDone(connection, events.get(1));
    assertThat(dropDay(DAY)).isFalse();

    store(DAY).replayDead(connection, events.get(2));
    assertThat(dropDay(DAY)).isFalse();

    store(DAY).markDone(connection, events.get(2));
    assertThat(dropDay(DAY)).isTrue();
  }

  @Test
  void daysArePreparedAndDroppedByTheDocumentedStatements() throws Exception {
    LocalDate today = LocalDate.ofInstant(Clock.systemUTC().instant(), ZoneOffset.UTC);
    addDay(today.minusDays(20));
    insert(today.minusDays(20), 1).forEach(id -> store(today).markDone(connection, id));
    try (InputStream script = OutboxSchema.class.getResourceAsStream("/maintain-days.sql");
        Statement statement = connection.createStatement()) {
      statement.execute("SET TIME ZONE 'UTC'");
      statement.execute(new String(script.readAllBytes(), StandardCharsets.UTF_8));
    }

    assertThat(partitions())
        .contains(partition(today), partition(today.plusDays(7)))
        .doesNotContain(partition(today.minusDays(20)));
  }

  @Test
  void todayIsNeverDropped() {
    LocalDate today = LocalDate.ofInstant(Clock.systemUTC().instant(), ZoneOffset.UTC);
    addDay(today);
    addDay(today.plusDays(1));

    assertThat(dropDay(today)).isFalse();
    assertThat(dropDay(today.plusDays(1))).isFalse();
  }

  @Test
  void openTransactionThatWroteToTheDayKeepsIt() throws SQLException {
    try (Connection writer = database.dataSource().getConnection()) {
      writer.setAutoCommit(false);
      store(DAY).insertNew(writer, EventEnvelope.ofJson("T", "{}"));

      assertThatThrownBy(() -> dropDay(DAY))
          .isInstanceOf(OutboxStoreException.class)
          .cause()
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("55P03"));

      writer.commit();
    }

    assertThat(dropDay(DAY)).isFalse();
    assertThat(claim(DAY.plusDays(1), 10)).hasSize(1);
  }

  @Test
  void idsAreUniqueOnlyAmongEventsOfTheSameTime() {
    EventEnvelope event = EventEnvelope.ofJson("T", "{}");
    store(DAY).insertNew(connection, event);

    assertThatThrownBy(() -> store(DAY).insertNew(connection, event))
        .hasMessageContaining("already there");
    store(DAY.plusDays(1)).insertNew(connection, event);

    assertThat(claim(DAY.plusDays(2), 10)).hasSize(2);
  }

  private List<String> insert(LocalDate day, int count) {
    List<EventEnvelope> events =
        IntStream.range(0, count).mapToObj(i -> EventEnvelope.ofJson("T", "{}")).toList();
    store(day).insertBatch(connection, events);
    return events.stream().map(EventEnvelope::eventId).toList();
  }

  private List<OutboxEvent> claim(LocalDate day, int limit) {
    Instant now = at(day);
    return store(day)
        .claimPending(connection, "n", now, now.minusSeconds(300), Duration.ZERO, limit);
  }

  private static AbstractJdbcOutboxStore store(LocalDate day) {
    return store(at(day));
  }

  private static AbstractJdbcOutboxStore store(Instant now) {
    return new PostgresOutboxStore().withClock(Clock.fixed(now, ZoneOffset.UTC));
  }

  private static Instant at(LocalDate day) {
    return day.atTime(12, 0).toInstant(ZoneOffset.UTC);
  }

  private void addDay(LocalDate day) {
    JdbcTemplate.query(connection, "SELECT outbox_event_add_day(?)", row -> day, day);
  }

  private boolean dropDay(LocalDate day) {
    return JdbcTemplate.query(
            connection, "SELECT outbox_event_drop_day(?)", row -> row.getBoolean(1), day)
        .get(0);
  }

  private int rowsOf(String partition) {
    return JdbcTemplate.query(
            connection, "SELECT COUNT(*) FROM ONLY " + partition, row -> row.getInt(1))
        .get(0);
  }

  private static String partition(LocalDate day) {
    return "outbox_event_" + day.format(DateTimeFormatter.BASIC_ISO_DATE);
  }

  private List<String> partitions() {
    return JdbcTemplate.query(
        connection,
        "SELECT inhrelid::REGCLASS::TEXT FROM pg_inherits"
            + " WHERE inhparent = 'outbox_event'::REGCLASS",
        row -> row.getString(1));
  }
}
