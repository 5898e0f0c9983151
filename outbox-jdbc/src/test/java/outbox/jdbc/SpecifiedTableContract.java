package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.EventEnvelope;
import outbox.jdbc.purge.AbstractJdbcEventPurger;
import outbox.jdbc.store.AbstractJdbcOutboxStore;
import outbox.jdbc.store.JdbcOutboxStores;
import outbox.model.DeadFilter;
import outbox.model.DeadQuery;
import outbox.model.DeadQuery.Position;
import outbox.model.DiscardReason;
import outbox.model.EventDetails;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;
import outbox.spi.EventRow;
import outbox.spi.PurgeRequest;
import outbox.spi.PurgeRequest.Scope;
import outbox.testing.databases.Database;
import outbox.util.JsonCodec;

/**
 * The specification's own table, in each spelling a database has for it and in time zones that
 * would show if a local time slipped in.
 */
abstract class SpecifiedTableContract {

  private Table table;
  private TimeZone before;
  private Database database;
  private AbstractJdbcOutboxStore store;

  record Table(Database server, AbstractJdbcEventPurger purger, String json, String time) {
    @Override
    public String toString() {
      return server + ", " + json + ", " + time;
    }
  }

  abstract Table table();

  @BeforeEach
  void createTable() {
    table = table();
    before = TimeZone.getDefault();
    database = table.server().fresh();
    SpecifiedTable.create(database.dataSource(), table.json(), table.time());
    store = JdbcOutboxStores.detect(database.dataSource());
  }

  @AfterEach
  void dropDatabase() {
    TimeZone.setDefault(before);
    database.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTC", "Asia/Kolkata", "America/St_Johns", "Pacific/Apia"})
  void eventLivesItsWholeLife(String zone) throws SQLException {
    TimeZone.setDefault(TimeZone.getTimeZone(zone));
    // 02:30 on a day when clocks in Europe and America jump over it, and are not in UTC.
    Instant now = Instant.parse("2024-03-10T02:30:00.123456Z");
    store = store.withClock(Clock.fixed(now.plusNanos(789), ZoneOffset.UTC));
    EventEnvelope event =
        EventEnvelope.builder("T").headers(Map.of("k", "v")).payloadJson("{\"a\": 1}").build();

    try (Connection connection = database.dataSource().getConnection()) {
      store.insertNew(connection, event);
      store.insertBatch(connection, List.of(event("b"), event("c")));

      assertThat(find(connection, event).event().createdAt()).isEqualTo(now);
      assertThat(claim(connection, now.minus(1, ChronoUnit.MICROS))).isEmpty();
      List<OutboxEvent> claimed = claim(connection, now);
      assertThat(claimed).hasSize(3);
      assertThat(find(connection, event).event().payloadJson())
          .isEqualToIgnoringWhitespace("{\"a\":1}");
      assertThat(find(connection, event).lockedAt()).isEqualTo(now);

      assertThat(store.markRetry(connection, event.eventId(), now.plusSeconds(5), "e")).isOne();
      assertThat(find(connection, event).availableAt()).isEqualTo(now.plusSeconds(5));
      assertThat(store.releaseClaims(connection, "node", List.of("b", "c"))).isEqualTo(2);
      assertThat(store.markDead(connection, event.eventId(), "e")).isOne();
      assertThat(find(connection, event).doneAt()).isEqualTo(now);
      assertThat(store.queryDead(connection, "T", null, 10)).hasSize(1);
      assertThat(store.replayDead(connection, event.eventId())).isOne();
      assertThat(find(connection, event).status()).isEqualTo(EventStatus.NEW);
      assertThat(store.markDone(connection, event.eventId())).isOne();
      assertThat(EventRow.decode(find(connection, event).event(), JsonCodec.getDefault()).headers())
          .isEqualTo(Map.of("k", "v"));

      assertThat(table.purger().purge(connection, now, 10)).isZero();
      assertThat(table.purger().purge(connection, now.plusNanos(1000), 10)).isOne();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTC", "America/St_Johns"})
  void rowsFinishedByOthersWithoutATimeArePurgedByTheirCreation(String zone) throws SQLException {
    TimeZone.setDefault(TimeZone.getTimeZone(zone));
    Instant now = Instant.parse("2024-03-10T02:30:00Z");
    store = store.withClock(Clock.fixed(now, ZoneOffset.UTC));

    try (Connection connection = database.dataSource().getConnection()) {
      store.insertBatch(connection, List.of(event("a"), event("b"), event("c"), event("d")));
      store.markDone(connection, "a");
      JdbcTemplate.update(
          connection, "UPDATE outbox_event SET status = 1 WHERE event_id IN ('b', 'c')");

      assertThat(table.purger().purge(connection, now, 10)).isZero();
      assertThat(table.purger().purge(connection, now.plusSeconds(1), 2)).isEqualTo(2);
      assertThat(store.find(connection, "a")).isEmpty();
      assertThat(table.purger().purge(connection, now.plusSeconds(1), 2)).isEqualTo(1);
      assertThat(store.find(connection, "d")).isPresent();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTC", "Asia/Kolkata", "America/St_Johns"})
  void deadLettersAreFoundChangedAndArchived(String zone) throws SQLException {
    TimeZone.setDefault(TimeZone.getTimeZone(zone));
    Instant now = Instant.parse("2024-03-10T02:30:00.123456Z");
    store = store.withClock(Clock.fixed(now, ZoneOffset.UTC));
    DeadFilter diedNow =
        DeadFilter.all()
            .withErrorText("refused")
            .withDied(now, now.plus(1, ChronoUnit.MICROS))
            .withIds(List.of("a", "b", "c", "d"));
    DeadQuery pages = DeadQuery.of(diedNow).withLimit(1);
    List<EventDetails> archived = new ArrayList<>();

    try (Connection connection = database.dataSource().getConnection()) {
      store.insertBatch(connection, List.of(event("a"), event("b"), event("c"), event("d")));
      for (String id : List.of("a", "b", "c", "d")) {
        store.markDead(connection, id, "Connection Refused");
      }
      List<EventDetails> first = store.queryDead(connection, pages);
      DeadQuery second = pages.startingAfter(Position.of(first.get(0).event()));

      assertThat(first).extracting(row -> row.event().eventId()).containsExactly("a");
      assertThat(store.countDead(connection, diedNow, 10)).isEqualTo(4);
      assertThat(store.replayDead(connection, second).last()).isEqualTo(new Position(now, "b"));
      assertThat(
              store.discardDead(connection, pages.newestFirst(), new DiscardReason("test")).last())
          .isEqualTo(new Position(now, "d"));
      assertThat(store.find(connection, "d").orElseThrow().isDiscarded()).isTrue();

      List<EventDetails> dead = store.queryDead(connection, DeadQuery.of(DeadFilter.all()));
      assertThat(purge(connection, Scope.DEAD, now, archived)).isZero();
      assertThat(purge(connection, Scope.DEAD, now.plusSeconds(1), archived)).isEqualTo(2);
      assertThat(archived).isEqualTo(dead);
      assertThat(purge(connection, Scope.DONE, now.plusSeconds(1), archived)).isOne();
      assertThat(purge(connection, Scope.UNCLAIMED, now, archived)).isZero();
      assertThat(purge(connection, Scope.UNCLAIMED, now.plusSeconds(1), archived)).isOne();
    }
  }

  /** A table whose columns name no collation may have one that ignores case. */
  @Test
  void idThatTheTableTakesForAnotherDoesNotCountAsWritten() throws SQLException {
    String sql = "SELECT event_id FROM outbox_event WHERE event_id = 'ORDER-A'";
    EventEnvelope other = event("ORDER-A");

    try (Connection connection = database.dataSource().getConnection()) {
      store.insertNew(connection, event("order-a"));

      if (JdbcTemplate.query(connection, sql, row -> row.getString(1)).isEmpty()) {
        assertThat(store.insertIfAbsent(connection, other, null)).isTrue();
      } else {
        assertThatThrownBy(() -> store.insertIfAbsent(connection, other, null))
            .isInstanceOf(OutboxStoreException.class)
            .hasMessageContainingAll("ORDER-A", "order-a", "binary collation");
      }
      assertThat(store.insertIfAbsent(connection, event("order-a"), null)).isFalse();
    }
  }

  private int purge(
      Connection connection, Scope scope, Instant before, List<EventDetails> archived) {
    return table.purger().purge(connection, new PurgeRequest(scope, before, 10, archived::addAll));
  }

  private List<OutboxEvent> claim(Connection connection, Instant now) {
    return store.claimPending(connection, "node", now, now.minusSeconds(300), Duration.ZERO, 10);
  }

  private EventDetails find(Connection connection, EventEnvelope event) {
    return store.find(connection, event.eventId()).orElseThrow();
  }

  private static EventEnvelope event(String id) {
    return EventEnvelope.builder("T").eventId(id).payloadJson("{}").build();
  }
}
