package outbox.jdbc.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.EventEnvelope;
import outbox.jdbc.schema.OutboxSchema;
import outbox.spi.Claim;
import outbox.spi.Outcome;
import outbox.spi.Settlement;
import outbox.testing.databases.Database;

/** What others do in open transactions holds up nobody who completes events. */
abstract class SettleContract {

  private static final Claim CLAIM =
      Claim.starting("node-1", Clock.systemUTC(), Duration.ofMinutes(5));

  private Database database;
  private AbstractJdbcOutboxStore store;
  private Connection open;

  abstract Database server();

  @BeforeEach
  void beginATransaction() throws SQLException {
    database = server().fresh();
    OutboxSchema.detect(database.dataSource()).apply(database.dataSource());
    store = JdbcOutboxStores.detect(database.dataSource());
    open = database.dataSource().getConnection();
    insert();
    open.setAutoCommit(false);
  }

  @AfterEach
  void rollBack() throws SQLException {
    open.rollback();
    open.close();
    database.close();
  }

  @Test
  void takenIdIsNotLockedByThoseWhoFindIt() {
    assertThat(store.insertIfAbsent(open, event("e-1"), null)).isFalse();

    assertThat(settleElsewhere(delivered(1, false))).isEqualTo(1);
  }

  /** InnoDB prefers to scan tables as small as this one, and would wait for the rows of others. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void rowsThatAnotherNodeCompletesAreNotWaitedFor(boolean deleted) {
    assertThat(store.settle(open, delivered(4, deleted))).isEqualTo(4);

    List<Settlement> others = delivered(20, deleted).subList(4, 20);

    assertThat(settleElsewhere(others)).isEqualTo(16);
  }

  private int settleElsewhere(List<Settlement> settlements) {
    CompletableFuture<Integer> settled =
        CompletableFuture.supplyAsync(
            () -> {
              try (Connection connection = database.dataSource().getConnection()) {
                return store.settle(connection, settlements);
              } catch (SQLException e) {
                throw new IllegalStateException(e);
              }
            });
    assertThat(settled).succeedsWithin(Duration.ofSeconds(30));
    return settled.join();
  }

  private void insert() {
    List<EventEnvelope> events =
        IntStream.rangeClosed(1, 20).mapToObj(i -> event("e-" + i)).toList();
    store.insertClaimed(open, events, CLAIM);
  }

  private static List<Settlement> delivered(int count, boolean deleted) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(i -> new Settlement("e-" + i, CLAIM, new Outcome.Delivered(deleted)))
        .toList();
  }

  private static EventEnvelope event(String id) {
    return EventEnvelope.builder("T").eventId(id).payloadJson("{}").build();
  }
}
