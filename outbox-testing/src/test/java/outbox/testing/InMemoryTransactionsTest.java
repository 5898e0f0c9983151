package outbox.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Savepoint;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;

/** The in-memory store's connections keep transactions apart as a database does. */
@Timeout(120)
class InMemoryTransactionsTest {

  private final InMemoryOutboxStore store = new InMemoryOutboxStore();
  private final EventEnvelope event = EventEnvelope.ofJson("T", "{}");

  private Connection transaction() throws SQLException {
    Connection connection = store.connections().getConnection();
    connection.setAutoCommit(false);
    return connection;
  }

  private EventStatus status() {
    return store.find(event.eventId()).orElseThrow().status();
  }

  @Test
  void nullConnectionIsAutoCommit() {
    store.insertNew(null, event);

    assertThat(status()).isEqualTo(EventStatus.NEW);
  }

  @Test
  void changeIsSeenByOthersAfterTheCommit() throws Exception {
    store.insertNew(null, event);
    Connection connection = transaction();

    store.markDone(connection, event.eventId());
    assertThat(status()).isEqualTo(EventStatus.NEW);
    assertThat(store.find(connection, event.eventId()).orElseThrow().status())
        .isEqualTo(EventStatus.DONE);

    connection.commit();
    assertThat(status()).isEqualTo(EventStatus.DONE);
  }

  @Test
  void closeWithoutCommitRollsBack() throws Exception {
    Connection connection = transaction();
    store.insertNew(connection, event);

    connection.close();

    assertThat(store.find(event.eventId())).isEmpty();
    store.insertNew(null, event);
    assertThat(status()).isEqualTo(EventStatus.NEW);
  }

  @Test
  void backToAutoCommitCommits() throws Exception {
    Connection connection = transaction();
    store.insertNew(connection, event);

    connection.setAutoCommit(true);

    assertThat(status()).isEqualTo(EventStatus.NEW);
    assertThat(connection.getAutoCommit()).isTrue();
  }

  @Test
  void secondWriterWaitsForTheFirst() throws Exception {
    store.insertNew(null, event);
    Connection first = transaction();
    store.markDone(first, event.eventId());
    CompletableFuture<Integer> second =
        CompletableFuture.supplyAsync(() -> store.markDead(null, event.eventId(), "late"));
    assertThat(second).isNotDone();

    first.commit();

    assertThat(second).succeedsWithin(60, TimeUnit.SECONDS).isEqualTo(0);
    assertThat(status()).isEqualTo(EventStatus.DONE);
  }

  @Test
  void claimPassesOverWhatAnotherTransactionHasClaimed() throws Exception {
    store.insertNew(null, event);
    Connection first = transaction();
    Instant now = Clock.systemUTC().instant().plusSeconds(60);

    List<OutboxEvent> claimed = claim(first, "node-1", now);
    List<OutboxEvent> others = claim(null, "node-2", now);

    assertThat(claimed).hasSize(1);
    assertThat(others).isEmpty();
    first.rollback();
    assertThat(claim(null, "node-2", now)).hasSize(1);
  }

  @Test
  void sameIdInsertedTwiceWaitsAndIsRefused() throws Exception {
    Connection first = transaction();
    store.insertNew(first, event);
    CompletableFuture<Void> second = CompletableFuture.runAsync(() -> store.insertNew(null, event));

    first.commit();

    assertThat(second).failsWithin(60, TimeUnit.SECONDS);
  }

  @Test
  void rollbackToASavepointFreesWhatWasLockedSince() throws Exception {
    store.insertNew(null, event);
    Connection connection = transaction();
    Savepoint savepoint = connection.setSavepoint("before");
    store.markDone(connection, event.eventId());

    connection.rollback(savepoint);

    assertThat(store.markDead(null, event.eventId(), "by another")).isEqualTo(1);
    assertThat(savepoint.getSavepointName()).isEqualTo("before");
    assertThatThrownBy(savepoint::getSavepointId).isInstanceOf(SQLException.class);
  }

  @Test
  void rollbackToASavepointKeepsWhatWasChangedBefore() throws Exception {
    store.insertNew(null, event);
    Connection connection = transaction();
    store.markRetry(connection, event.eventId(), Instant.EPOCH, "first");
    Savepoint savepoint = connection.setSavepoint();
    store.markDead(connection, event.eventId(), "second");

    connection.rollback(savepoint);
    connection.commit();

    assertThat(status()).isEqualTo(EventStatus.RETRY);
    assertThat(savepoint.getSavepointId()).isNotNegative();
    assertThatThrownBy(savepoint::getSavepointName).isInstanceOf(SQLException.class);
  }

  @Test
  void savepointThatIsGoneIsRefused() throws Exception {
    Connection connection = transaction();
    Savepoint outer = connection.setSavepoint();
    Savepoint inner = connection.setSavepoint();
    Savepoint released = connection.setSavepoint();
    connection.releaseSavepoint(released);
    connection.rollback(outer);
    connection.rollback(outer);

    assertThatThrownBy(() -> connection.rollback(inner)).isInstanceOf(SQLException.class);
    assertThatThrownBy(() -> connection.rollback(released)).isInstanceOf(SQLException.class);
    assertThatThrownBy(() -> connection.releaseSavepoint(released))
        .isInstanceOf(SQLException.class);
    connection.commit();
    assertThatThrownBy(() -> connection.rollback(outer)).isInstanceOf(SQLException.class);
  }

  @Test
  void connectionOfAnotherStoreIsRefused() throws Exception {
    Connection other = new InMemoryOutboxStore().connections().getConnection();
    Connection foreign =
        (Connection)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> null);

    assertThatThrownBy(() -> store.insertNew(other, event))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("connections()");
    assertThatThrownBy(() -> store.insertNew(foreign, event))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void connectionDoesWhatItCanAndSaysWhatItCannot() throws Exception {
    Connection connection = store.connections().getConnection();

    assertThat(connection).hasToString("in-memory connection");
    assertThat(Set.of(connection)).contains(connection);
    assertThat(connection).isNotEqualTo(store.connections().getConnection());
    assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
    assertThatThrownBy(connection::rollback).isInstanceOf(SQLException.class);
    assertThatThrownBy(connection::createStatement)
        .isInstanceOf(SQLFeatureNotSupportedException.class);

    connection.close();
    connection.close();
    assertThat(connection.isClosed()).isTrue();
    assertThatThrownBy(() -> store.insertNew(connection, event))
        .isInstanceOf(IllegalStateException.class);
  }

  private List<OutboxEvent> claim(Connection connection, String ownerId, Instant now) {
    return store.claimPending(connection, ownerId, now, now.minusSeconds(300), Duration.ZERO, 10);
  }
}
