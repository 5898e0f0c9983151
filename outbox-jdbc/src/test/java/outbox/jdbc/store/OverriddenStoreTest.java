package outbox.jdbc.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import outbox.EventEnvelope;
import outbox.Outbox;
import outbox.jdbc.database.JdbcDatabase;
import outbox.jdbc.purge.H2EventPurger;
import outbox.model.OutboxEvent;
import outbox.spi.Claim;
import outbox.testing.databases.Database;
import outbox.testing.databases.Databases;

/** Who overrides a method of a store or purger is asked, though there are faster ways. */
class OverriddenStoreTest {

  private final AtomicInteger polls = new AtomicInteger();
  private final AtomicInteger marks = new AtomicInteger();

  private final H2OutboxStore store =
      new H2OutboxStore() {
        @Override
        public List<OutboxEvent> pollPending(
            Connection connection, Instant now, Duration skipRecent, int limit) {
          polls.incrementAndGet();
          return super.pollPending(connection, now, skipRecent, limit);
        }

        @Override
        public int markDone(Connection connection, String eventId) {
          if (marks.incrementAndGet() == 1) {
            throw new IllegalStateException("the first one fails");
          }
          return super.markDone(connection, eventId);
        }
      };

  @Test
  void overriddenMarksAndPollsAreUsed() throws Exception {
    try (Database fresh = Databases.h2().fresh()) {
      JdbcDatabase database = JdbcDatabase.of(fresh.dataSource()).createTable();
      AtomicInteger delivered = new AtomicInteger();
      try (Outbox outbox =
          Outbox.singleNode()
              .database(database)
              .store(store)
              .listener("T", event -> delivered.incrementAndGet())
              .build()) {
        outbox.start();
        try (var transaction = database.begin()) {
          outbox.writer().write("T", "{}");
          transaction.commit();
        }
        await()
            .atMost(Duration.ofMinutes(1))
            .until(() -> marks.get() == 2 && outbox.status().inFlight() == 0);
      }
      assertThat(delivered).hasValue(1);
      assertThat(polls).hasPositiveValue();
    }
  }

  @Test
  void overriddenInsertsAreNotPassedBy() throws Exception {
    H2OutboxStore own =
        new H2OutboxStore() {
          @Override
          public void insertNew(Connection connection, EventEnvelope event) {
            super.insertNew(connection, event.withHeaders(Map.of("seen", "yes")));
          }
        };
    EventEnvelope event = EventEnvelope.ofJson("T", "{}");
    Claim claim = Claim.starting("node", own.clock(), Duration.ofMinutes(1));
    try (Database fresh = Databases.h2().fresh();
        Connection connection = fresh.dataSource().getConnection()) {
      JdbcDatabase.of(fresh.dataSource()).createTable();

      assertThat(own.insertClaimed(connection, List.of(event), claim)).isFalse();
      assertThatThrownBy(() -> own.insertIfAbsent(connection, event, null))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining("override insertIfAbsent in it, too");
      EventEnvelope other = EventEnvelope.ofJson("T", "{}");
      own.insertBatch(connection, List.of(event, other));

      for (EventEnvelope written : List.of(event, other)) {
        assertThat(own.find(connection, written.eventId()).orElseThrow().event().headersJson())
            .contains("seen");
      }
    }
  }

  @Test
  void whoOverridesEveryInsertMayUseOurs() throws Exception {
    H2OutboxStore own =
        new H2OutboxStore() {
          @Override
          public void insertNew(Connection connection, EventEnvelope event) {
            super.insertNew(connection, event);
          }

          @Override
          public boolean insertIfAbsent(Connection connection, EventEnvelope event, Claim claim) {
            return super.insertIfAbsent(connection, event, claim);
          }

          @Override
          public boolean insertClaimed(
              Connection connection, List<EventEnvelope> events, Claim claim) {
            return super.insertClaimed(connection, events, claim);
          }
        };
    Claim claim = Claim.starting("node", own.clock(), Duration.ofMinutes(1));
    try (Database fresh = Databases.h2().fresh();
        Connection connection = fresh.dataSource().getConnection()) {
      JdbcDatabase.of(fresh.dataSource()).createTable();

      assertThat(own.insertIfAbsent(connection, EventEnvelope.ofJson("T", "{}"), null)).isTrue();
      assertThat(own.insertClaimed(connection, List.of(EventEnvelope.ofJson("T", "{}")), claim))
          .isTrue();
    }
  }

  @Test
  void overriddenPurgeIsUsed() {
    H2EventPurger purger =
        new H2EventPurger() {
          @Override
          public int purge(Connection connection, Instant before, int limit) {
            return 0;
          }
        };

    assertThat(purger.isSelective()).isFalse();
    assertThat(new H2EventPurger().isSelective()).isTrue();
  }
}
